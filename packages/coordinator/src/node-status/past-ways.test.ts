import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { LinkReport, NodeId } from '@meshwork/contract';
import { type NodeStatus, unseen } from './node-status.ts';
import { beginLinksAnew, PastWays } from './past-ways.ts';

const peer = (number: number) => `node_${number}` as NodeId;
const directTo = (number: number, port: number): LinkReport => ({
  peer: peer(number),
  path: 'direct',
  endpoint: `192.0.2.1:${port}`,
  rx_bytes: 0,
  tx_bytes: 0,
});
const endpointsOf = ({ links }: NodeStatus, number: number) => {
  const link = links?.get(peer(number));
  return link === undefined ? undefined : [link, ...(link.past ?? [])].map(({ endpoint }) => endpoint?.split(':')[1]);
};
const everyPeer = () => true;

it('what a link did stays when it is reported anew, also if that takes several heartbeats or begins again', () => {
  const [ways, status] = [new PastWays(), unseen(0)];
  for (const number of [1, 2]) ways.note(status, directTo(number, 1000), 10);
  ways.note(status, directTo(1, 1001), 20);
  beginLinksAnew(status, everyPeer);
  assert.equal(endpointsOf(status, 1), undefined);
  ways.note(status, directTo(1, 1001), 30);
  beginLinksAnew(status, everyPeer);
  for (const number of [1, 2]) ways.note(status, directTo(number, 1002), 40);
  assert.deepEqual(endpointsOf(status, 1), ['1002', '1001', '1000']);
  assert.deepEqual(endpointsOf(status, 2), ['1002', '1000']);
  assert.deepEqual([status.links?.get(peer(2))?.since_ms, status.links?.get(peer(2))?.past?.[0]?.since_ms], [40, 10]);
  assert.equal(status.links_before?.size, 0);
});

it('what a link did is forgotten once the other end is no peer', () => {
  const [ways, status] = [new PastWays(), unseen(0)];
  ways.note(status, directTo(1, 1000), 10);
  beginLinksAnew(status, () => false);
  ways.note(status, directTo(1, 1001), 20);
  assert.deepEqual(endpointsOf(status, 1), ['1001']);
});

it('what a link did while another coordinator heard of it is not made up', () => {
  const [ways, status] = [new PastWays(), unseen(0)];
  ways.note(status, directTo(1, 1000), 10);
  ways.note(status, directTo(1, 1001), 20);
  status.elsewhere_ms = 25;
  ways.note(status, directTo(1, 1001), 30);
  assert.deepEqual([endpointsOf(status, 1), status.links?.get(peer(1))?.since_ms], [['1001'], 30]);
});

it('of all links together the oldest ways go first, whichever link they are of', () => {
  const [ways, statuses] = [new PastWays(10), [unseen(0), unseen(0)] as const];
  const [quiet, busy] = statuses;
  for (const port of [1000, 1001, 1002]) ways.note(quiet, directTo(1, port), port);
  for (let port = 2000; port <= 2008; port++) ways.note(busy, directTo(1, port), port);
  // Two and eight are ten, and no more.
  assert.deepEqual([endpointsOf(quiet, 1)?.length, endpointsOf(busy, 1)?.length], [3, 9]);
  ways.note(busy, directTo(1, 2009), 2009);
  assert.deepEqual(endpointsOf(quiet, 1), ['1002'], 'eleven became nine, by the two oldest');
  assert.equal(endpointsOf(busy, 1)?.length, 10);
  for (let port = 2010; port <= 2020; port++) ways.note(busy, directTo(1, port), port);
  assert.deepEqual(endpointsOf(quiet, 1), ['1002']);
  const left = endpointsOf(busy, 1) ?? [];
  assert.ok(left.length >= 10 && left.length <= 11, `${left.length}`);
  assert.deepEqual(left[0], '2020');
});

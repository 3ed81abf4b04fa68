import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf, digestOfTerms, digestText, EMPTY_DIGEST } from '@meshwork/contract/digest';
import { routeOf } from '../../test/ingress-section.ts';
import { HeldView } from '../view/held-view.ts';
import { DryRunDataPlane } from './dry-run-data-plane.ts';

const ingress = [{ id: 'ingress_1', hostname: 'h', draining: false, routes: [], tls: null }];

async function setUp() {
  let now = 1_000_000;
  const view = new HeldView();
  const plane = new DryRunDataPlane({ node: 'node_a', now: () => now });
  const tell = async (reply: Omit<Parameters<typeof view.take>[0], 'next_s'>) => {
    const sections = view.take({ next_s: 0, ...reply });
    return Promise.all(sections.map((section) => plane.apply(section, view)));
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { view, plane, tell, pass };
}

test('what it receives is in effect, and is observed once', async () => {
  const { view, plane, tell } = await setUp();
  assert.deepEqual(plane.observe('everything'), {}, 'before it received anything');
  const applied = await tell({ revision: 3, relay: { name: 'fra-1', host: 'h', port: 1 }, ingress });
  assert.deepEqual(applied[0], { revision: 3, digest: view.digestOf('relay') });
  const { telemetry, ...observed } = plane.observe('changes');
  assert.deepEqual(observed, { relay: 'fra-1', ingress: [{ id: 'ingress_1', connections: 0 }] });
  assert.equal(telemetry?.uptime_s, 0);
  assert.deepEqual(plane.observe('changes'), {});
  assert.deepEqual(plane.observe('everything'), { telemetry, ...observed });
});

test('terms and host rules are in effect as received, and give nothing to observe', async () => {
  const { view, plane, tell } = await setUp();
  const terms = { peer: 'node_b', allow: ['tcp:22'], forward: [], routes: [] };
  const rule = { id: 'firewall_1', direction: 'in', interface: 'any', protocol: 'any', action: 'drop' } as const;
  const first = await tell({ revision: 2, acl: { full: [terms] }, firewall: [rule] });
  assert.deepEqual(first, [
    { revision: 2, digest: digestText(digestOfTerms(terms)) },
    { revision: 2, digest: digestText(digestOf([rule])) },
  ]);
  const second = await tell({ revision: 3, acl: { remove: ['node_b'] } });
  assert.deepEqual(second, [{ revision: 3, digest: digestText(EMPTY_DIGEST) }]);
  assert.deepEqual(await plane.apply('firewall', view), first[1], 'the rules were not sent again');
  assert.deepEqual(Object.keys(plane.observe('everything')), ['telemetry']);
});

test('every node that an ingress leads to is up, and one that drains takes no new connections', async () => {
  const { plane, tell } = await setUp();
  const target = { node: 'node_b', name: 'b', address: '100.64.0.2', port: 80, weight: 1 };
  const routes = [routeOf({ targets: [target] })];
  await tell({ revision: 1, ingress: ingress.map((one) => ({ ...one, draining: true, routes })) });
  const since = '1970-01-01T00:16:40Z';
  assert.deepEqual(plane.observe('changes').ingress, [
    {
      id: 'ingress_1',
      connections: 0,
      refuses: true,
      upstreams: [{ service: 'web', node: 'node_b', state: 'up', since, why: null }],
    },
  ]);
});

test('connections are what the simulation sets, and a change of them is news', async () => {
  const { plane, tell } = await setUp();
  let news = 0;
  plane.onChange(() => {
    news += 1;
  });
  await tell({ revision: 1, ingress });
  plane.observe('changes');
  plane.setConnections(4);
  assert.equal(news, 1);
  assert.deepEqual(plane.observe('changes'), { ingress: [{ id: 'ingress_1', connections: 4 }] });
});

test('links shake hands again in time, with a round trip that both ends agree on', async () => {
  const { plane, tell, pass } = await setUp();
  const peer = {
    id: 'node_b',
    name: 'b',
    wireguard_key: '',
    address: '',
    address6: '',
    endpoints: [],
    routes: [],
    relay: null,
  };
  await tell({ revision: 1, peers: { full: [peer] } });
  const [link] = plane.observe('changes').links ?? [];
  pass(118_000);
  assert.deepEqual(plane.observe('changes'), {});
  pass(1000);
  await tell({ revision: 2, peers: { upsert: [{ ...peer, id: 'node_c' }] } });
  assert.deepEqual(
    plane.observe('changes').links?.map(({ peer }) => peer),
    ['node_c'],
    'a link that was reported is not reported again because of another',
  );
  pass(1000);
  const [again] = plane.observe('changes').links ?? [];
  assert.equal(again?.rtt_ms, link?.rtt_ms);
  assert.notEqual(again?.handshake_at, link?.handshake_at);
  const other = new DryRunDataPlane({ node: 'node_b', now: () => 0 });
  const seen = new HeldView();
  seen.take({ revision: 1, next_s: 0, peers: { full: [{ ...peer, id: 'node_a' }] } });
  await other.apply('peers', seen);
  assert.equal(other.observe('everything').links?.[0]?.rtt_ms, link?.rtt_ms);
});

test('a new key is another one for each operation, and the same for one that is asked for again', async () => {
  const { plane } = await setUp();
  const first = await plane.rekey('operation_1');
  assert.equal(await plane.rekey('operation_1'), first);
  assert.notEqual(await plane.rekey('operation_2'), first);
});

test('it says how it stands, and that it touches nothing', async () => {
  const { plane, tell, pass } = await setUp();
  await tell({ revision: 1, relay: { name: 'fra-1', host: 'h', port: 1 }, ingress });
  plane.setConnections(2);
  pass(3000);
  assert.deepEqual(JSON.parse(await plane.diagnose()), {
    dry_run: true,
    node: 'node_a',
    uptime_s: 3,
    self: null,
    peers: 0,
    links: 0,
    in_effect: { relay: 'fra-1', ingress: ['ingress_1'], connections: 2 },
  });
});

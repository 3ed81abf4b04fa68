import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UpstreamHealth } from '@meshwork/contract';
import { ingressId, ingressOf, routeOf, targetOf } from '../../../test/ingress-section.ts';
import { upstreamKey } from './live-state.ts';
import { streamLive } from './stream-live.ts';

const UNCHECKED = { health: new Map<string, UpstreamHealth>(), draining_since: new Map(), open: new Map() };

function tcp(over: Parameters<typeof routeOf>[0]) {
  return ingressOf(1, {
    kind: 'tcp',
    port: 5432,
    routes: [routeOf({ protocol: 'tcp', check: { kind: 'none' }, ...over })],
  });
}

test('nodes that are up are there with address, port and weight, and those that are down are not', () => {
  const route = routeOf({
    protocol: 'tcp',
    targets: [targetOf(1, { weight: 3 }), targetOf(2), targetOf(3, { weight: 0 })],
  });
  const keys = [1, 2, 3].map((number) => upstreamKey(targetOf(number), { service: 'web', ...route }));
  const states = ['up', 'down', 'up'] as const;
  const health = new Map(
    keys.map((key, index) => [key, { service: 'web', node: '', state: states[index] ?? 'up', since: '', why: null }]),
  );
  const { pools } = streamLive(ingressOf(1, { kind: 'tcp', routes: [route] }), { ...UNCHECKED, health });
  assert.deepEqual(
    pools[0]?.peers.map(([address, port, weight]) => [address, port, weight]),
    [['100.64.0.1', 8080, 3]],
  );
});

test('what is no address is no place for a connection', () => {
  const addresses = ['unix:/run/mesh-gateway/control/control.sock', 'example.com', '100.64.0.9;', ''];
  const targets = addresses.map((address, index) => targetOf(index, { address }));
  assert.deepEqual(streamLive(tcp({ targets }), UNCHECKED).pools, [{ percent: 100, peers: [] }]);
});

test('connections are counted in only where nodes are chosen by them: the file stays the same otherwise', () => {
  const open = new Map([['100.64.0.1:8080', 7]]);
  const counted = (balance: string) =>
    streamLive(tcp({ balance, targets: [targetOf(1)] }), { ...UNCHECKED, open }).pools[0]?.peers[0]?.[4];
  assert.deepEqual([counted('least_connections'), counted('round_robin')], [7, 0]);
});

test('what a hash leads to depends on the node and where it is, and not on its check or weight', () => {
  const seed = (over: Parameters<typeof routeOf>[0]) => streamLive(tcp(over), UNCHECKED).pools[0]?.peers[0]?.[3];
  const first = seed({ targets: [targetOf(1)] });
  assert.equal(seed({ targets: [targetOf(1, { weight: 9, name: 'renamed' })] }), first);
  assert.notEqual(seed({ targets: [targetOf(1, { port: 81 })] }), first);
});

test('an ingress that drains says since when, and without knowing it drains at once', () => {
  const draining = { ...tcp({}), draining: true };
  assert.equal(streamLive(tcp({}), UNCHECKED).draining, null);
  assert.equal(streamLive(draining, UNCHECKED).draining, 0);
  const draining_since = new Map([[ingressId(1), 1_800_000_000]]);
  assert.equal(streamLive(draining, { ...UNCHECKED, draining_since }).draining, 1_800_000_000);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssignedPool, UpstreamHealth, UpstreamState } from '@meshwork/contract';
import { ingressId, ingressOf, routeOf, targetOf } from '../../../test/ingress-section.ts';
import { type CheckedService, liveState, routeKey, upstreamKey } from './live-state.ts';

const { protocol, check } = routeOf();
const WEB: CheckedService = { service: 'web', protocol, check };
const CANARY: CheckedService = { ...WEB, service: 'web-next' };
const NOT_DRAINING = new Map<string, number>();

function found(...entries: readonly (readonly [key: string, state: UpstreamState])[]) {
  return new Map<string, UpstreamHealth>(
    entries.map(([key, state]) => [key, { service: 'web', node: '', state, since: '', why: null }]),
  );
}

test('only nodes that are up and have a weight get requests, by the name that their certificate is for', () => {
  const targets = [targetOf(1, { weight: 3 }), targetOf(2), targetOf(3), targetOf(4), targetOf(5, { weight: 0 })];
  const [one, two, three, , five] = targets.map((target) => upstreamKey(target, WEB));
  const health = found([`${one}`, 'up'], [`${two}`, 'down'], [`${three}`, 'unknown'], [`${five}`, 'up']);
  const section = [ingressOf(7, { routes: [routeOf({ targets, balance: 'hash:cookie:session' })] })];
  const key = `web ${targetOf(1).node} http://100.64.0.1:8080`;
  const peer = { key, address: '100.64.0.1', port: 8080, name: 'web-1.mesh', weight: 3 };
  assert.deepEqual(liveState({ section, health, draining_since: NOT_DRAINING }), {
    routes: { [`${ingressId(7)}/0`]: { balance: 'hash:cookie:session', pools: [{ percent: 100, peers: [peer] }] } },
    draining: {},
    ended: {},
    certificates: {},
  });
});

test('a node that is not checked is up, unless it may not be reached at all', () => {
  const targets = [targetOf(1), targetOf(2)];
  const route = routeOf({ targets, check: { kind: 'none' } });
  const refused = upstreamKey(targetOf(2), { ...WEB, check: route.check });
  const section = [ingressOf(1, { routes: [route] })];
  const live = liveState({ section, health: found([refused, 'down']), draining_since: NOT_DRAINING });
  const [pool] = live.routes[routeKey(ingressId(1), 0)]?.pools ?? [];
  assert.deepEqual(
    pool?.peers.map(({ address }) => address),
    ['100.64.0.1'],
  );
});

test('the share of a service that is down goes to the other one, and stays where both are', () => {
  const pools: AssignedPool[] = [
    { service: 'web', percent: 95, targets: [targetOf(1)] },
    { service: 'web-next', percent: 5, targets: [targetOf(2)] },
  ];
  const section = [ingressOf(1, { routes: [routeOf({ pools })] })];
  const [web, canary] = [upstreamKey(targetOf(1), WEB), upstreamKey(targetOf(2), CANARY)];
  const shares = (...up: readonly string[]) => {
    const health = found(...up.map((key) => [key, 'up'] as const));
    const live = liveState({ section, health, draining_since: NOT_DRAINING });
    return live.routes[routeKey(ingressId(1), 0)]?.pools.map(({ percent, peers }) => [percent, peers.length]);
  };
  assert.deepEqual(shares(web, canary), [
    [95, 1],
    [5, 1],
  ]);
  assert.deepEqual(shares(web), [
    [100, 1],
    [0, 0],
  ]);
  assert.deepEqual(shares(canary), [
    [0, 0],
    [100, 1],
  ]);
  assert.deepEqual(shares(), [
    [95, 0],
    [5, 0],
  ]);
});

test('the same content is the same text, in whichever order it came', () => {
  const route = (...numbers: number[]) => routeOf({ targets: numbers.map((number) => targetOf(number)) });
  const health = found(...[1, 2, 3].map((number) => [upstreamKey(targetOf(number), WEB), 'up'] as const));
  const text = (section: Parameters<typeof liveState>[0]['section']) =>
    JSON.stringify(liveState({ section, health, draining_since: NOT_DRAINING }));
  const one = [ingressOf(1, { routes: [route(1, 2, 3)] }), ingressOf(2, { routes: [route(2)] })];
  const other = [ingressOf(2, { routes: [route(2)] }), ingressOf(1, { routes: [route(3, 1, 2)] })];
  assert.equal(text(one), text(other));
});

test('an ingress that drains says since when; one that is not known to drain since some time drains for every connection', () => {
  const section = [ingressOf(1, { draining: true }), ingressOf(2), ingressOf(3, { draining: true })];
  const draining_since = new Map([
    [ingressId(1), 1_800_000_000],
    [ingressId(2), 1_700_000_000],
  ]);
  const { draining } = liveState({ section, health: new Map(), draining_since });
  assert.deepEqual(draining, { [ingressId(1)]: 1_800_000_000, [ingressId(3)]: 0 });
});

test('an upstream is another one when it is elsewhere or checked otherwise, and the same one whatever its check ignores', () => {
  const key = upstreamKey(targetOf(1), WEB);
  const http = { ...WEB, check: { ...check, kind: 'http' as const } };
  const others = [
    upstreamKey(targetOf(2), WEB),
    upstreamKey(targetOf(1, { port: 81 }), WEB),
    upstreamKey(targetOf(1, { address: '100.64.9.9' }), WEB),
    upstreamKey(targetOf(1), CANARY),
    upstreamKey(targetOf(1), { ...WEB, protocol: 'https' }),
    upstreamKey(targetOf(1), { ...WEB, check: { ...check, fall: 4 } }),
    upstreamKey(targetOf(1), http),
    upstreamKey(targetOf(1), { ...http, check: { ...http.check, path: '/health' } }),
    upstreamKey(targetOf(1), { ...http, check: { ...http.check, body: 'ok' } }),
    upstreamKey(targetOf(1), { ...WEB, check: { ...check, kind: 'grpc' } }),
    upstreamKey(targetOf(1), { ...WEB, check: { ...check, kind: 'grpc', grpc_service: 'shop.Cart' } }),
  ];
  assert.equal(new Set([key, ...others]).size, others.length + 1);
  assert.equal(upstreamKey(targetOf(1, { weight: 9, name: 'renamed' }), WEB), key);
  assert.equal(upstreamKey(targetOf(1), { ...WEB, check: { ...check, path: '/health', body: 'ok' } }), key);
});

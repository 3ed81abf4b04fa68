/** Which nodes gateways are sent, who is woken by a change, and what people are shown. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { DEFAULT_TRAFFIC, DEFAULT_UPSTREAM, type NodeId, WHOLE_MESH } from '@meshwork/contract';
import { IngressWorld, THEN, web } from '../../../test/ingress-world.ts';
import { testVault } from '../../../test/test-vault.ts';
import { PolicyReach } from '../../views/policy-reach.ts';
import { openAreas } from '../open-areas.ts';

const INGRESS = 'ingress_01jcqvc37ee3xv9k7d0w8m2b4n';
const OTHER = 'ingress_01jcqvc37ee3xv9k7d0w8m2b5n';

const OPEN = { groups: { all: ['*'] }, grants: [{ from: 'all', to: 'all', allow: ['*'] }] };

describe('the targets of an ingress', () => {
  let world: IngressWorld;
  let gateway: NodeId;
  beforeEach(() => {
    world = new IngressWorld();
    world.policy(OPEN);
    gateway = world.node('gw', { tags: ['role:gateway'] });
  });

  const pools = (id = INGRESS, of = gateway) => {
    const assignment = world.sent(of).find((one) => one.id === id);
    assert.ok(assignment);
    return assignment.routes.map(({ path, pools: all }) => ({
      path,
      pools: all.map(({ service, percent, targets }) => [service, percent, targets.map(({ name }) => name).join()]),
    }));
  };

  it('are what an ingress of an older version has too, whose document says nothing of upstreams and TLS', () => {
    const target = world.node('web-1', { address: '100.64.0.9' }, [web()]);
    world.ingress(INGRESS, {}, gateway);
    const { protocol, balance, proxy_protocol, check } = DEFAULT_UPSTREAM;
    const traffic = DEFAULT_TRAFFIC;
    const targets = [{ node: target, name: 'web-1', address: '100.64.0.9', port: 3000, weight: 1 }];
    assert.deepEqual(world.sent(gateway), [
      {
        id: INGRESS,
        hostname: 'web.example.net',
        kind: 'http',
        port: null,
        draining: false,
        routes: [
          {
            path: '/',
            protocol,
            balance,
            proxy_protocol,
            check,
            traffic,
            pools: [{ service: 'web', percent: 100, targets }],
          },
        ],
        redirects: [],
        maintenance: null,
        proxies: null,
        tls: { chain: null, redirect: true },
      },
    ]);
  });

  it('lie inside the scope of the ingress, and are listed nowhere else', () => {
    const scope = { ...WHOLE_MESH, team: 'shop' };
    world.node('web-shop', { tags: ['team:shop', 'surface:web', 'env:production'] }, [web()]);
    world.node('web-other', { tags: ['team:other', 'surface:web', 'env:production'] }, [web()]);
    world.node('web-none', {}, [web()]);
    world.ingress(INGRESS, { scope }, gateway);
    assert.deepEqual(pools(), [{ path: '/', pools: [['web', 100, 'web-shop']] }]);
    assert.deepEqual(world.problems(INGRESS), { 'web-shop': null });
  });

  it('are fresh members that offer the service over tcp and do not fail, in order of id', () => {
    for (const id of ['c', 'a', 'b']) world.node(id, {}, [web()]);
    const stale = world.node('stale', {}, [web()]);
    world.commit({ kind: 'liveness', id: stale, body: { state: 'stale', since: THEN } });
    world.node('cut-off', { quarantined: { at: THEN, reason: null } }, [web()]);
    world.node('pending', { approved_at: null }, [web()]);
    world.node('failing', {}, [web({ health: 'failing' })]);
    world.node('udp', {}, [web({ protocol: 'udp' })]);
    world.node('gone', { removed_at: THEN }, [web()]);
    world.node('else', {}, [web({ name: 'git' })]);
    world.ingress(INGRESS, {}, gateway);
    assert.deepEqual(pools(), [{ path: '/', pools: [['web', 100, 'a,b,c']] }]);
    assert.deepEqual(world.problems(INGRESS), {
      a: null,
      b: null,
      c: null,
      'cut-off': 'The node is quarantined.',
      failing: 'The node says that the service fails its check.',
      pending: 'The node is pending.',
      stale: 'The node is stale.',
      udp: 'It offers the service over udp, and gateways speak tcp.',
    });
  });

  it('of an ingress for udp offer the service over udp, and need a grant for that', () => {
    world.node('tcp-only', {}, [web()]);
    world.node('resolver', {}, [web({ protocol: 'udp', port: 53 })]);
    const { check } = DEFAULT_UPSTREAM;
    const upstream = { ...DEFAULT_UPSTREAM, protocol: 'udp', check: { ...check, kind: 'none' } } as const;
    world.ingress(INGRESS, { kind: 'udp', port: 53, upstream }, gateway);
    assert.deepEqual(pools(), [{ path: '/', pools: [['web', 100, 'resolver']] }]);
    const overTcp = 'It offers the service over tcp, and gateways speak udp.';
    assert.deepEqual(world.problems(INGRESS), { resolver: null, 'tcp-only': overTcp });
    const groups = { gateways: ['tag:role:gateway'], web: ['node:resolver'] };
    const grant = (allow: string) =>
      world.policy({ groups, grants: [{ from: 'gateways', to: 'web', allow: [allow] }] });
    grant('tcp:53');
    assert.equal(
      world.problems(INGRESS).resolver,
      'No grant lets gw reach it on udp:53: add one from a group with gw to a group with resolver that allows udp:53.',
    );
    assert.deepEqual(pools(), [{ path: '/', pools: [['web', 100, '']] }]);
    grant('udp:53');
    assert.equal(world.problems(INGRESS).resolver, null);
    const { kind, port, tls, routes } = world.sent(gateway)[0] ?? {};
    assert.deepEqual([kind, port, tls, routes?.[0]?.protocol], ['udp', 53, null, 'udp']);
    const checked = { ...upstream, check: { ...check, kind: 'tcp' } } as const;
    world.ingress(INGRESS, { kind: 'udp', port: 53, upstream: checked }, gateway);
    assert.match(world.problems(INGRESS).resolver ?? '', /^No grant lets gw reach it on tcp:53: /, 'for the check');
    world.policy({ groups, grants: [{ from: 'gateways', to: 'web', allow: ['udp:53', 'tcp:53'] }] });
    assert.equal(world.problems(INGRESS).resolver, null);
  });

  it('have the weight of the first entry that matches them', () => {
    world.node('a', { tags: ['size:large'] }, [web()]);
    world.node('b', { tags: ['size:large', 'role:old'] }, [web()]);
    world.node('c', {}, [web()]);
    const weights = [
      { nodes: 'tag:role:old', weight: 0 },
      { nodes: 'tag:size:large', weight: 7 },
    ];
    world.ingress(INGRESS, { upstream: { ...DEFAULT_UPSTREAM, weights } }, gateway);
    const [pool] = world.sent(gateway)[0]?.routes[0]?.pools ?? [];
    assert.deepEqual(
      pool?.targets.map(({ name, weight }) => [name, weight]),
      [
        ['a', 7],
        ['b', 0],
        ['c', 1],
      ],
    );
    assert.deepEqual(world.problems(INGRESS), { a: null, b: 'Its weight is 0, so gateways send it nothing.', c: null });
  });

  it('that have no weight on one path may have one on another', () => {
    world.node('a', {}, [web()]);
    const off = { ...DEFAULT_UPSTREAM, weights: [{ nodes: 'node:a', weight: 0 }] };
    const routes = [{ path: '/api', service: 'web', upstream: DEFAULT_UPSTREAM }];
    world.ingress(INGRESS, { upstream: off, routes }, gateway);
    assert.deepEqual(world.problems(INGRESS), { a: null });
    world.ingress(INGRESS, { upstream: off }, gateway);
    assert.deepEqual(world.problems(INGRESS), { a: 'Its weight is 0, so gateways send it nothing.' });
  });

  it('are those of each path, with the share of a canary, in order of path', () => {
    world.node('a', {}, [web(), web({ name: 'api', port: 4000 })]);
    world.node('b', {}, [web({ name: 'web-next', port: 3001 })]);
    const upstream = { ...DEFAULT_UPSTREAM, canary: { service: 'web-next', percent: 10 } };
    const routes = [
      { path: '/b', service: 'none', upstream: DEFAULT_UPSTREAM },
      { path: '/api', service: 'api', upstream: DEFAULT_UPSTREAM },
    ];
    world.ingress(INGRESS, { upstream, routes }, gateway);
    assert.deepEqual(pools(), [
      {
        path: '/',
        pools: [
          ['web', 90, 'a'],
          ['web-next', 10, 'b'],
        ],
      },
      { path: '/api', pools: [['api', 100, 'a']] },
      { path: '/b', pools: [['none', 100, '']] },
    ]);
    assert.deepEqual(
      world.targets(INGRESS).map(({ service, name, port }) => [service, name, port]),
      [
        ['web', 'a', 3000],
        ['web-next', 'b', 3001],
        ['api', 'a', 4000],
      ],
    );
  });

  it('are only those that the policy lets a gateway reach, which the record says until there is a grant', () => {
    const second = world.node('gw-2', { tags: ['role:gateway'] });
    world.node('web-1', {}, [web()]);
    world.ingress(INGRESS, {}, gateway, second);
    const groups = { gateways: ['tag:role:gateway'], first: ['node:gw'], web: ['node:web-1'] };
    const grant = (from: string, allow: string) =>
      world.policy({ groups, grants: [{ from, to: 'web', allow: [allow] }] });
    grant('gateways', 'tcp:22');
    const words = (names: string) =>
      `No grant lets ${names} reach it on tcp:3000: add one from a group with ${names} to a group with web-1 that allows tcp:3000.`;
    assert.deepEqual(world.problems(INGRESS), { 'web-1': words('gw and gw-2') });
    assert.deepEqual(pools(), [{ path: '/', pools: [['web', 100, '']] }]);
    grant('first', 'tcp:2000-4000');
    assert.deepEqual(world.problems(INGRESS), { 'web-1': words('gw-2') });
    assert.deepEqual(pools(), [{ path: '/', pools: [['web', 100, 'web-1']] }]);
    assert.deepEqual(pools(INGRESS, second), [{ path: '/', pools: [['web', 100, '']] }]);
    grant('gateways', 'tcp:3000');
    assert.deepEqual(world.problems(INGRESS), { 'web-1': null });
    assert.deepEqual(pools(INGRESS, second), [{ path: '/', pools: [['web', 100, 'web-1']] }]);
  });

  it('include the gateway itself, which needs no grant', () => {
    world.policy({ groups: {}, grants: [] });
    world.report(gateway, [web()]);
    world.ingress(INGRESS, {}, gateway);
    assert.deepEqual(pools(), [{ path: '/', pools: [['web', 100, 'gw']] }]);
    assert.deepEqual(world.problems(INGRESS), { gw: null });
  });

  it('wake the gateways that a change concerns, and no other', () => {
    const second = world.node('gw-2', { tags: ['role:gateway'] });
    const target = world.node('web-1', {}, [web()]);
    world.ingress(INGRESS, {}, gateway);
    world.ingress(OTHER, { hostname: 'git.example.net', service: 'git' }, second);
    const woken = (change: () => void) => world.wokenBy(change, gateway, second);
    assert.deepEqual(
      woken(() => world.report(target, [web({ port: 3001 })])),
      [gateway],
    );
    assert.deepEqual(
      woken(() => world.report(target, [web({ port: 3001, health: 'failing' })])),
      [gateway],
    );
    assert.deepEqual(
      woken(() => world.report(target, [web({ name: 'git' })])),
      [second],
    );
    assert.deepEqual(
      woken(() => world.report(target, [web(), web({ name: 'git' })])),
      [gateway],
    );
    assert.deepEqual(
      woken(() => world.report(target, [web({ name: 'git' })])),
      [gateway],
    );
    assert.deepEqual(
      woken(() => world.report(target, [web(), web({ name: 'git' })])),
      [gateway],
    );
    const both = [gateway, second];
    const silent = { state: 'stale', since: THEN } as const;
    assert.deepEqual(
      woken(() => world.commit({ kind: 'liveness', id: target, body: silent })),
      both,
    );
    assert.deepEqual(
      woken(() => world.commit({ kind: 'liveness', id: target, body: null })),
      both,
    );
    assert.deepEqual(
      woken(() => world.change(target, { address: '100.64.9.9' })),
      both,
    );
    assert.deepEqual(
      woken(() => world.change(target, { quarantined: { at: THEN, reason: null } })),
      both,
    );
    assert.deepEqual(
      woken(() => world.change(target, { quarantined: null })),
      both,
    );
    const groups = { one: ['node:gw'], web: ['node:web-1'] };
    assert.deepEqual(
      woken(() => world.policy({ groups, grants: [{ from: 'one', to: 'web', allow: ['*'] }] })),
      [second],
    );
    assert.deepEqual(
      woken(() => world.policy(OPEN)),
      [second],
    );
    const unchanged = { endpoints: ['192.0.2.1:51820'] };
    const stored = world.model.get('report', target)?.body;
    assert.ok(stored);
    assert.deepEqual(
      woken(() => world.commit({ kind: 'report', id: target, body: { ...stored, ...unchanged } })),
      [],
    );
    assert.deepEqual(
      woken(() => world.node('laptop', {}, [web({ name: 'ssh', port: 22 })])),
      [],
    );
    assert.deepEqual(
      woken(() => world.ingress(OTHER, { service: 'web' }, second)),
      [second],
    );
    assert.deepEqual(
      woken(() => world.change(target, { removed_at: THEN })),
      both,
    );
  });

  it('are the same at a coordinator that starts later', () => {
    for (const id of ['c', 'a', 'b']) world.node(id, {}, [web()]);
    world.ingress(INGRESS, {}, gateway);
    const digest = world.opened.views.desired(gateway, 'ingress').digest;
    const later = openAreas({
      model: world.model,
      vault: testVault(world.model),
      reach: new PolicyReach(),
      wake: () => undefined,
    });
    assert.equal(later.views.desired(gateway, 'ingress').digest, digest);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DEFAULT_SETTINGS, type Settings } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

describe('settings', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());
  const patch = (body: unknown, headers = {}) =>
    mesh.ask<Settings & { errors: { pointer: string }[] }>('PATCH', '/v1/settings', { body, headers });

  it('are the defaults until one is changed, and then only that one changes', async () => {
    const first = await mesh.ask<Settings>('GET', '/v1/settings');
    assert.deepEqual([first.body, first.headers.get('etag')], [DEFAULT_SETTINGS, '"0"']);
    const got = await patch({ tokens: { surface_roles: { git: null, shop: 'viewer' } } }, { 'if-match': '"0"' });
    assert.deepEqual(got.body, {
      ...DEFAULT_SETTINGS,
      tokens: { max_lifetime_days: 366, surface_roles: { ci: 'pipeline', monitoring: 'monitoring', shop: 'viewer' } },
    });
    assert.equal((await patch({}, { 'if-match': '"0"' })).status, 412);
    await mesh.down();
    await mesh.up();
    assert.deepEqual((await mesh.ask<Settings>('GET', '/v1/settings')).body, got.body);
  });

  it('bound how long a token may live', async () => {
    await patch({ tokens: { max_lifetime_days: 7 } });
    const got = await mesh.ask('POST', '/v1/auth/tokens', {
      body: { name: 'x', scope: { team: '*', surface: '*', environment: '*' }, expires: mesh.inDays(8) },
    });
    assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, '/expires']);
  });

  it('refuse a role that does not exist and fields they do not have', async () => {
    assert.deepEqual(
      (await patch({ tokens: { surface_roles: { git: 'no-such-role' } } })).body.errors[0]?.pointer,
      '/tokens/surface_roles/git',
    );
    assert.deepEqual((await patch({ tokens: { colour: 1 } })).body.errors[0]?.pointer, '/tokens/colour');
    assert.equal((await patch({ tokens: { surface_roles: { 'NOT A NAME': 'viewer' } } })).status, 422);
    assert.equal((await patch({ api: { rate_per_s: 0 } })).status, 422);
    assert.equal((await patch([])).status, 422);
  });

  it('refuse times and networks that cannot be meant, all of them at once', async () => {
    const wrong = (nodes: Partial<Settings['nodes']>) =>
      patch({ nodes }).then(({ status, body }) => [status, ...(body.errors ?? []).map(({ pointer }) => pointer)]);
    assert.deepEqual(await wrong({ heartbeat_interval_s: 30 }), [422, '/nodes/stale_after_s']);
    assert.deepEqual(await wrong({ unreachable_after_s: 45 }), [422, '/nodes/unreachable_after_s']);
    for (const address_pool of ['10.0.0.0/7', '10.0.0.0/31', '10.0.0.1/8', '10.0.0.0/08', 'fd00::/64']) {
      assert.deepEqual(await wrong({ address_pool }), [422, '/nodes/address_pool'], address_pool);
    }
    for (const address6_prefix of ['fd00::/48', '2001:db8::/64', 'fd00:0::/64', 'fd00::1/64', '10.0.0.0/8']) {
      assert.deepEqual(await wrong({ address6_prefix }), [422, '/nodes/address6_prefix'], address6_prefix);
    }
    assert.deepEqual(await wrong({ stale_after_s: 10, address_pool: '10.0.0.1/8' }), [
      422,
      '/nodes/stale_after_s',
      '/nodes/address_pool',
    ]);
  });

  it('have sections for nodes, operations and events, which change one by one', async () => {
    const nodes = { heartbeat_interval_s: 10, stale_after_s: 20, address6_prefix: 'fd12:3456:789a::/64' };
    const got = await patch({ nodes, operations: { kept_days: 5 }, events: { retention_days: 3 } });
    assert.deepEqual(
      [got.body.nodes, got.body.operations, got.body.events],
      [{ ...DEFAULT_SETTINGS.nodes, ...nodes }, { timeout_s: 300, kept_days: 5 }, { retention_days: 3 }],
    );
    const back = await patch({ nodes: { address6_prefix: null } });
    assert.equal(back.body.nodes.address6_prefix, null);
  });

  it('cannot give others a role that the caller does not have', async () => {
    await mesh.ask('POST', '/v1/auth/roles', {
      body: { name: 'tuner', permissions: ['settings:read', 'settings:write'] },
    });
    const { secret } = await mesh.token({ role: 'tuner', days: 1 });
    const got = await mesh.ask('PATCH', '/v1/settings', {
      token: secret,
      body: { tokens: { surface_roles: { ci: 'owner' } } },
    });
    assert.deepEqual([got.status, got.body.code], [403, 'exceeds_own_rights']);
    assert.equal(
      (await mesh.ask('PATCH', '/v1/settings', { token: secret, body: { audit: { retention_days: 400 } } })).status,
      200,
    );
  });

  it('stay as they are, and make no revision, when nothing changes', async () => {
    const before = await mesh.ask('GET', '/v1/settings');
    const after = await patch({ audit: {} });
    assert.deepEqual([after.status, after.headers.get('etag')], [200, before.headers.get('etag')]);
  });

  it('have a table of surfaces that is bounded as a whole, not by the patch', async () => {
    const names = (from: number) =>
      Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`s${from + index}`, 'viewer']));
    assert.equal((await patch({ tokens: { surface_roles: names(0) } })).status, 200);
    assert.equal((await patch({ tokens: { surface_roles: names(150) } })).status, 422);
    const none = Object.fromEntries(Object.keys(names(0)).map((name) => [name, null]));
    assert.equal((await patch({ tokens: { surface_roles: none } })).status, 200);
  });

  it('tell every node of the networks that addresses are taken from, when those change', async () => {
    const nodes = [await TestNode.enroll(mesh), await TestNode.enroll(mesh)];
    for (const node of nodes) await node.settle();
    const networks = (node: TestNode) => (node.held.self as { networks: string[] }).networks;
    const [pool, prefix] = networks(nodes[0] as TestNode);
    assert.equal(pool, DEFAULT_SETTINGS.nodes.address_pool);
    assert.ok(nodes[0]?.enrolled.address6.startsWith(prefix?.replace(/:\/64$/, '') ?? 'none'), prefix ?? 'none');
    const waiting = nodes.map((node) => node.beat({ wait: 15 }));
    await patch({ nodes: { address_pool: '10.99.0.0/16', address6_prefix: 'fd12:3456:789a::/64' } });
    for (const { body } of await Promise.all(waiting)) {
      assert.deepEqual(body.self?.networks, ['10.99.0.0/16', 'fd12:3456:789a::/64']);
      assert.equal(body.peers, undefined, 'nothing else is sent');
    }
    await patch({ nodes: { drift_after_s: 77 } });
    assert.equal((await nodes[0]?.beat())?.body.self, undefined, 'another setting is none of theirs');
    await patch({ nodes: { address_pool: DEFAULT_SETTINGS.nodes.address_pool, address6_prefix: null } });
    await nodes[0]?.beat();
    assert.deepEqual(networks(nodes[0] as TestNode), [pool, prefix]);
  });

  it('say whether nodes ask their routers for a port, which one in quarantine never does', async () => {
    const [node, cut] = [await TestNode.enroll(mesh), await TestNode.enroll(mesh)];
    await node.settle();
    await mesh.ask('POST', `/v1/nodes/${cut.id}/quarantine`, { body: { reason: 'odd' } });
    const asks = async (one: TestNode) => {
      await one.beat();
      return (one.held.self as { port_mapping?: boolean }).port_mapping;
    };
    assert.equal(await asks(node), undefined);
    await patch({ nodes: { port_mapping: true } });
    await cut.prove();
    assert.deepEqual([await asks(node), await asks(cut)], [true, undefined]);
    await patch({ nodes: { port_mapping: false } });
    assert.equal(await asks(node), undefined);
  });

  it('limit how often one token may ask, without touching the others', async () => {
    const [busy, calm] = [await mesh.token({ days: 1 }), await mesh.token({ days: 1 })];
    await patch({ api: { rate_per_s: 1, burst: 5 } });
    using _ = mesh.clock.holdStill(); // no second passes in which one more would be allowed
    const ask = (token: string) => mesh.ask('GET', '/v1/auth/whoami', { token });
    const statuses: number[] = [];
    for (let count = 0; count < 7; count++) statuses.push((await ask(busy.secret)).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
    const limited = await ask(busy.secret);
    assert.deepEqual(
      [limited.body.code, limited.body.retryable, limited.headers.get('retry-after')],
      ['rate_limited', true, '1'],
    );
    assert.match(limited.headers.get('ratelimit-policy') ?? '', /q=5;w=5/);
    assert.equal((await ask(calm.secret)).status, 200);
    mesh.clock.advance(2);
    assert.equal((await ask(busy.secret)).status, 200);
  });

  it('keep the addresses of the mesh off networks that nodes forward to', async () => {
    await patch({ api: { rate_per_s: 1000, burst: 1000 } });
    const node = await TestNode.enroll(mesh, { routes: ['10.20.0.0/16'] });
    await mesh.ask('PUT', `/v1/nodes/${node.id}/routes`, { body: { approved: ['10.20.0.0/16'] } });
    const got = await patch({ nodes: { address_pool: '10.20.128.0/20' } });
    assert.deepEqual([got.status, got.body.errors[0]?.pointer], [422, '/nodes/address_pool']);
    assert.equal((await patch({ nodes: { address_pool: '10.21.0.0/16' } })).status, 200);
  });
});

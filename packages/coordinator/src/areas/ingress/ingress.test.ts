import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import {
  type AuditEntry,
  DEFAULT_TRAFFIC,
  DEFAULT_UPSTREAM,
  type Ingress,
  type Node,
  type Overview,
  type Posture,
} from '@meshwork/contract';
import { ALL, PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

/** The duty that places ingresses takes a moment. */
const PATIENT = { timeout: 60_000 };

interface List<T> {
  items: T[];
  next_cursor: string | null;
}

describe('ingresses', () => {
  let mesh: TestCoordinator;
  /** Sees one boundary, and may do everything there. */
  let insider: string;
  /** The same, in another one. */
  let outsider: string;
  before(async () => {
    mesh = await TestCoordinator.start();
    // Host names are anybody's here; `access/owners.test.ts` is about those that are not.
    await mesh.ask('PUT', '/v1/acls', { body: { domain_owners: { '*': ['scope:*/*/*'] } } });
    insider = (await mesh.token({ role: 'owner', scope: PLATFORM })).secret;
    outsider = (await mesh.token({ role: 'owner', scope: { ...PLATFORM, team: 'shop' } })).secret;
  });
  after(() => mesh.close());

  let made = 0;
  const create = (more: object = {}, token: string = insider) => {
    const hostname = `host-${made++}.example.net`;
    const body = { name: 'git', hostname, service: 'git-http', gateways: ['tag:role:gateway'], ...more };
    return mesh.ask<Ingress & { code: string; detail: string }>('POST', '/v1/ingress', { body, token });
  };
  const show = (id: string, token: string = insider) => mesh.ask<Ingress>('GET', `/v1/ingress/${id}`, { token });
  const gateway = async (name: string, { scope = PLATFORM, abilities = EVERYTHING } = {}): Promise<TestNode> => {
    const { secret: token } = await mesh.token({ role: 'owner', scope });
    const node = await TestNode.enroll(mesh, { name, tags: ['role:gateway'], token });
    await node.beat({ complete: true, report: { abilities } });
    return node;
  };

  it('are made in the scope of the caller, or in a narrower one', async () => {
    const got = await create({ hostname: 'git.example.net' });
    assert.equal(got.status, 201);
    assert.equal(got.headers.get('location'), `/v1/ingress/${got.body.id}`);
    assert.equal(got.headers.get('etag'), `"${got.body.revision}"`);
    const { id, created_at, revision, ...rest } = got.body;
    assert.match(id, /^ingress_/);
    assert.ok(Math.abs(Date.parse(created_at) - mesh.clock.now()) < 60_000 && revision > 0);
    assert.deepEqual(rest, {
      name: 'git',
      kind: 'http',
      hostname: 'git.example.net',
      port: null,
      service: 'git-http',
      upstream: DEFAULT_UPSTREAM,
      traffic: DEFAULT_TRAFFIC,
      redirects: [],
      maintenance: null,
      proxies: null,
      mesh_identity: false,
      counted: true,
      sign_in: null,
      waf: null,
      routes: [],
      tls: { certificate: 'mesh', redirect: true, clients: 'none', client_names: [] },
      scope: PLATFORM,
      gateways: ['tag:role:gateway'],
      replicas: 1,
      draining: false,
      drain: null,
      targets: [],
      served_by: [],
      assigned_to: [],
      state: 'unassigned',
      problem: 'It has 0 of 1 gateways: no node inside its scope matches tag:role:gateway.',
    });
    assert.deepEqual((await create({ scope: PLATFORM }, mesh.owner)).body.scope, PLATFORM);
    for (const scope of [ALL, { ...PLATFORM, team: 'shop' }, { ...PLATFORM, surface: '*' }]) {
      const wide = await create({ scope });
      assert.deepEqual([wide.status, wide.body.code], [403, 'exceeds_own_rights']);
    }
  });

  it('are not there for who cannot see their scope', async () => {
    const { id } = (await create()).body;
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/drain'],
      ['POST', '/undrain'],
    ] as const) {
      const body = method === 'PATCH' ? { body: { replicas: 2 } } : {};
      const got = await mesh.ask(method, `/v1/ingress/${id}${path}`, { token: outsider, ...body });
      assert.deepEqual([got.status, got.body.code], [404, 'not_found'], method);
    }
    const list = await mesh.ask<List<Ingress>>('GET', '/v1/ingress?limit=200', { token: outsider });
    assert.ok(!list.text.includes(id));
    assert.equal((await show(id)).body.replicas, 1);
  });

  it('have a host name of their own, and who wants a taken one learns no more than that', async () => {
    const first = await create({ hostname: 'one.example.net' });
    const inside = await create({ hostname: 'one.example.net' });
    const outside = await create({ hostname: 'one.example.net' }, outsider);
    for (const got of [inside, outside]) {
      assert.deepEqual([got.status, got.body.code], [409, 'already_exists']);
      assert.equal(got.body.detail, 'The host name "one.example.net" is taken.');
    }
    const second = (await create({ hostname: 'two.example.net' }, outsider)).body;
    const rename = (hostname: string) =>
      mesh.ask('PATCH', `/v1/ingress/${second.id}`, { token: outsider, body: { hostname } });
    assert.equal((await rename('one.example.net')).status, 409);
    assert.equal((await rename('three.example.net')).status, 200);
    assert.equal((await create({ hostname: 'two.example.net' })).status, 201, 'the old one is free');
    await mesh.ask('DELETE', `/v1/ingress/${first.body.id}`, { token: insider });
    assert.equal((await rename('one.example.net')).status, 200, 'so is that of one that is gone');
  });

  it('and a host name that two want at once goes to one of them', async () => {
    const got = await Promise.all(Array.from({ length: 5 }, () => create({ hostname: 'race.example.net' })));
    assert.deepEqual(got.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
  });

  it('are changed by naming only what changes, and only as the caller knew them', async () => {
    const { id, revision, hostname } = (await create()).body;
    const patch = (body: object, headers = {}) =>
      mesh.ask<Ingress>('PATCH', `/v1/ingress/${id}`, { body, headers, token: insider });
    assert.equal((await patch({ hostname, replicas: 1 })).body.revision, revision, 'that is no change');
    const got = await patch({ replicas: 2 }, { 'if-match': `"${revision}"` });
    assert.deepEqual([got.status, got.body.replicas, got.body.hostname], [200, 2, hostname]);
    assert.equal((await patch({ replicas: 3 }, { 'if-match': `"${revision}"` })).status, 412);
    assert.equal((await patch({ gateways: [] })).status, 422);
    assert.equal((await patch({ scope: ALL })).status, 422, 'the scope stays');
  });

  it('are drained and undrained, and the trail inside the scope has each once', async () => {
    const { id } = (await create()).body;
    const ask = (verb: string) => mesh.ask<Ingress>('POST', `/v1/ingress/${id}/${verb}`, { token: insider });
    const drained = await ask('drain');
    assert.equal(drained.body.draining, true);
    assert.equal((await ask('drain')).body.revision, drained.body.revision);
    assert.equal((await ask('undrain')).body.draining, false);
    const gone = await mesh.ask('DELETE', `/v1/ingress/${id}`, { token: insider });
    assert.deepEqual([gone.status, gone.text], [204, '']);
    const trail = (token: string) => mesh.ask<List<AuditEntry>>('GET', `/v1/audit?target=${id}`, { token });
    assert.deepEqual(
      (await trail(insider)).body.items.map(({ action }) => action),
      ['ingress.delete', 'ingress.undrain', 'ingress.drain', 'ingress.create'],
    );
    assert.deepEqual((await trail(outsider)).body.items, []);
  });

  it('are served by gateways inside their scope, and listed by gateway and service', async (t: TestContext) => {
    await gateway('gw-shop', { scope: { ...PLATFORM, team: 'shop' } });
    const node = await gateway('gw-1');
    const { id } = (await create({ service: 'wiki', replicas: 2 })).body;
    await t.waitFor(async () => {
      const { assigned_to } = (await show(id)).body;
      assert.deepEqual(
        assigned_to.map(({ name }) => name),
        ['gw-1'],
      );
    }, PATIENT);
    const list = async (query: string) => {
      const got = await mesh.ask<List<Ingress>>('GET', `/v1/ingress?limit=200&${query}`, { token: insider });
      return got.body.items.map((ingress) => ingress.id);
    };
    assert.deepEqual(await list('service=wiki'), [id]);
    assert.ok((await list(`gateway=${node.id}`)).includes(id));
    assert.deepEqual(await list('gateway=node_01jcqv6p0ee3xv9k7d0w8m2b4n'), []);
  });

  it('are served once a gateway proves it, and not because one was chosen', async (t: TestContext) => {
    const node = await gateway('gw-proof', { scope: { ...PLATFORM, team: 'proof' } });
    const { secret: token } = await mesh.token({ role: 'owner', scope: { ...PLATFORM, team: 'proof' } });
    const { id } = (await create({ service: 'proof', tls: { certificate: 'none' } }, token)).body;
    const shown = async () => {
      const { state, served_by, assigned_to } = (await show(id, token)).body;
      return { state, served_by, problem: assigned_to[0]?.problem };
    };
    const served = async () => (await mesh.ask<Overview>('GET', '/v1/overview', { token })).body.ingress?.served;
    await t.waitFor(async () => assert.equal((await shown()).state, 'assigned'), PATIENT);
    const unsaid = {
      state: 'assigned',
      served_by: [],
      problem: 'Not in effect: the node has not said what is in effect.',
    };
    assert.deepEqual(await shown(), unsaid);
    await node.beat();
    await node.beat({ applied: node.applied() });
    const silent = { state: 'assigned', served_by: [], problem: 'The node does not report that it serves it.' };
    assert.deepEqual(await shown(), silent);
    assert.equal(await served(), 0);
    await node.beat({ observed: { ingress: [{ id, connections: 3 }] } });
    const gateways = [{ node: node.id, name: 'gw-proof', draining: false, connections: 3, upstreams: null }];
    assert.deepEqual(await shown(), { state: 'serving', served_by: gateways, problem: null });
    assert.equal(await served(), 1);
    const failing = { revision: node.revision, digest: '000000000000', error: 'no certificate' };
    await node.beat({ applied: { ingress: failing } });
    assert.deepEqual(await shown(), { state: 'assigned', served_by: [], problem: 'Not in effect: no certificate.' });
    assert.equal(await served(), 0);
  });

  it('get no gateway whose agent runs none, and that agent is neither sent one nor drifts', async (t: TestContext) => {
    const scope = { ...PLATFORM, team: 'older' };
    const abilities = { sections: ['self', 'peers', 'acl', 'firewall', 'commands'], engines: {} };
    const node = await gateway('gw-older', { scope, abilities });
    const { secret: token } = await mesh.token({ role: 'owner', scope });
    const { id } = (await create({ service: 'older' }, token)).body;
    const able = await gateway('gw-able', { scope });
    await t.waitFor(async () => {
      const { assigned_to } = (await show(id, token)).body;
      assert.deepEqual(
        assigned_to.map(({ name }) => name),
        ['gw-able'],
      );
    }, PATIENT);
    assert.ok((await able.beat()).body.ingress?.length);
    await node.beat();
    const { relay: _relay, ingress: _ingress, ...applied } = node.applied();
    await node.beat({ applied });
    const { sections, drift_since } = (await mesh.ask<Posture>('GET', `/v1/nodes/${node.id}/posture`)).body;
    assert.deepEqual([drift_since, sections.ingress.carried, sections.ingress.in_sync], [null, false, true]);
    assert.deepEqual([sections.self.carried, sections.self.in_sync, sections.relay.reason], [true, true, null]);
    mesh.clock.advance(600);
    const answer = await node.beat();
    assert.equal('ingress' in answer.body || 'relay' in answer.body, false);
    const record = (await mesh.ask<Node>('GET', `/v1/nodes/${node.id}`)).body;
    assert.deepEqual([record.drift_since, record.abilities], [null, abilities]);
  });

  it('are listed oldest first, a page at a time', async () => {
    const first = await mesh.ask<List<Ingress>>('GET', '/v1/ingress?limit=2', { token: insider });
    const rest = await mesh.ask<List<Ingress>>('GET', `/v1/ingress?limit=200&cursor=${first.body.next_cursor}`, {
      token: insider,
    });
    const ids = [...first.body.items, ...rest.body.items].map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)].sort());
    assert.equal(rest.body.next_cursor, null);
  });
});

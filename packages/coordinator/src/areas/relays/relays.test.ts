import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { AuditEntry, Node, Relay } from '@meshwork/contract';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, newKeys, publicHalves, TestNode } from '../../../test/test-node.ts';

/** The duty that assigns relays takes a moment. */
const PATIENT = { timeout: 60_000 };

interface List<T> {
  items: T[];
  next_cursor: string | null;
}

describe('relays', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  const enrol = async (name: string): Promise<Node> => {
    const got = await mesh.ask<Node>('POST', '/v1/nodes', {
      body: { name, ...publicHalves(newKeys()) },
    });
    assert.equal(got.status, 201, got.text);
    return got.body;
  };
  const create = (body: object) => mesh.ask<Relay & { code: string }>('POST', '/v1/relays', { body });
  const show = (name: string) => mesh.ask<Relay>('GET', `/v1/relays/${name}`);
  const made = async (name: string): Promise<Relay> => {
    await enrol(`on-${name}`);
    const got = await create({ name, node: `on-${name}`, host: `${name}.example.net` });
    assert.equal(got.status, 201, got.text);
    return got.body;
  };

  it('are made of a node, by its name or id', async () => {
    const node = await enrol('edge-1');
    const got = await create({ name: 'fra-1', node: 'edge-1', host: 'fra-1.example.net' });
    assert.equal(got.status, 201);
    assert.equal(got.headers.get('location'), '/v1/relays/fra-1');
    assert.equal(got.headers.get('etag'), `"${got.body.revision}"`);
    const { created_at, revision, ...rest } = got.body;
    assert.ok(Math.abs(Date.parse(created_at) - mesh.clock.now()) < 60_000 && revision > 0);
    assert.deepEqual(rest, {
      name: 'fra-1',
      kind: 'node',
      node: node.id,
      host: 'fra-1.example.net',
      port: 3478,
      tls_port: 443,
      certificate: 'mesh',
      site: null,
      capacity: 500,
      draining: false,
      healthy: false,
      health: 'Its node edge-1 is joining.',
      nodes: 0,
      standbys: 0,
      load: null,
    });
    const other = await enrol('edge-2');
    const byId = await create({
      name: 'fra-2',
      node: other.id,
      host: '192.0.2.7',
      port: 80,
      tls_port: null,
      capacity: 3,
    });
    assert.deepEqual([byId.body.node, byId.body.port, byId.body.tls_port], [other.id, 80, null]);
    const second = await mesh.ask('POST', '/v1/relays', { body: { name: 'fra-3', node: 'edge-2', host: 'x' } });
    assert.deepEqual([second.status, second.body.errors?.[0]?.pointer], [422, '/node'], 'an agent runs one relay');
    assert.equal((await create({ name: 'fra-1', node: node.id, host: 'x' })).body.code, 'already_exists');
  });

  it('need a node that exists and is approved', async () => {
    for (const node of ['no-such-node', 'node_01jcqv6p0ee3xv9k7d0w8m2b4n', '__proto__']) {
      const got = await mesh.ask('POST', '/v1/relays', { body: { name: 'lost', node, host: 'lost.example.net' } });
      assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, '/node'], node);
    }
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { require_approval: true } } });
    await enrol('not-yet');
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { require_approval: false } } });
    const pending = await mesh.ask('POST', '/v1/relays', { body: { name: 'lost', node: 'not-yet', host: 'x' } });
    assert.match(pending.body.detail, /pending/);
    assert.equal((await show('lost')).status, 404);
  });

  it('are listed by name, also to those who see only a part of the mesh', async () => {
    await made('zrh-1');
    await made('ams-1');
    const { secret } = await mesh.token({ role: 'viewer', scope: PLATFORM });
    const first = await mesh.ask<List<Relay>>('GET', '/v1/relays?limit=2', { token: secret });
    const rest = await mesh.ask<List<Relay>>('GET', `/v1/relays?cursor=${first.body.next_cursor}`, { token: secret });
    const names = [...first.body.items, ...rest.body.items].map(({ name }) => name);
    assert.deepEqual(names, names.toSorted());
    assert.ok(names.includes('zrh-1') && names.includes('ams-1'));
    const write = await mesh.ask('POST', '/v1/relays/ams-1/drain', { token: (await narrowOwner()).secret });
    assert.deepEqual([write.status, write.body.code], [403, 'mesh_scope_required']);
  });
  const narrowOwner = () => mesh.token({ role: 'owner', scope: PLATFORM });

  it('are changed by naming only what changes, and only as the caller knew them', async () => {
    const { revision } = await made('par-1');
    const patch = (body: object, headers = {}) => mesh.ask<Relay>('PATCH', '/v1/relays/par-1', { body, headers });
    const same = await patch({ capacity: 500 });
    assert.equal(same.body.revision, revision, 'what stays as it was is no change');
    const got = await patch({ capacity: 7 }, { 'if-match': `"${revision}"` });
    assert.deepEqual([got.status, got.body.capacity, got.body.host], [200, 7, 'par-1.example.net']);
    assert.equal((await patch({ capacity: 8 }, { 'if-match': `"${revision}"` })).status, 412);
    const other = await enrol('par-other');
    assert.equal((await patch({ node: 'par-other' })).body.node, other.id);
    assert.equal((await patch({ node: 'no-such-node' })).status, 422);
    assert.equal((await patch({ capacity: 0 })).status, 422);
  });

  it('are drained and undrained, and the trail has each once', async () => {
    await made('lon-1');
    const ask = (verb: string) => mesh.ask<Relay>('POST', `/v1/relays/lon-1/${verb}`);
    const drained = await ask('drain');
    assert.equal(drained.body.draining, true);
    assert.equal((await ask('drain')).body.revision, drained.body.revision);
    assert.equal((await ask('undrain')).body.draining, false);
    const trail = await mesh.ask<List<AuditEntry>>('GET', '/v1/audit?target=lon-1');
    assert.deepEqual(
      trail.body.items.map(({ action }) => action),
      ['relays.undrain', 'relays.drain', 'relays.create'],
    );
  });

  it('count their nodes, and give up those they were chosen for when they are deleted', async (t: TestContext) => {
    await measured('osl-1');
    const node = await TestNode.enroll(mesh, { name: 'pinned-1' });
    await node.beat({ complete: true, report: { abilities: EVERYTHING } });
    const pinned = await mesh.ask('PUT', `/v1/nodes/${node.id}/relay`, { body: { relay: 'osl-1' } });
    assert.equal(pinned.status, 202, pinned.text);
    await t.waitFor(async () => assert.equal((await nodeRecord(node.id)).relay, 'osl-1'), PATIENT);
    assert.ok((await show('osl-1')).body.nodes >= 1);
    const gone = await mesh.ask('DELETE', '/v1/relays/osl-1');
    assert.deepEqual([gone.status, gone.text], [204, '']);
    assert.equal((await nodeRecord(node.id)).pinned_relay, null);
    await t.waitFor(async () => assert.notEqual((await nodeRecord(node.id)).relay, 'osl-1'), PATIENT);
    const trail = await mesh.ask<List<AuditEntry>>('GET', '/v1/audit?target=osl-1&limit=1');
    assert.match(trail.body.items[0]?.detail ?? '', /1 node/);
    assert.deepEqual(trail.body.items[0]?.changes.map(({ kind }) => kind).sort(), ['node', 'relay']);
  });
  const nodeRecord = async (id: string) => (await mesh.ask<Node>('GET', `/v1/nodes/${id}`)).body;

  const proof = (name: string) => ({
    relays: [{ name, rtt_ms: 12 }],
    relay_proofs: [{ name, carries: true, via: 'udp' as const }],
  });
  /** A relay on a node that is online, with a witness whose packets come back through it. */
  const measured = async (name: string) => {
    const runs = await TestNode.enroll(mesh, { name: `on-${name}` });
    await runs.beat({ complete: true });
    const got = await create({ name, node: runs.id, host: `${name}.example.net` });
    assert.equal(got.status, 201, got.text);
    const witness = await TestNode.enroll(mesh);
    await witness.beat({ complete: true, observed: proof(name) });
    return { runs, witness };
  };

  it('are healthy once packets of another node came back through them, and not because their own node is there', async () => {
    const runs = await TestNode.enroll(mesh);
    await runs.beat({ complete: true, report: { abilities: EVERYTHING } });
    await create({ name: 'rix-1', node: runs.id, host: 'rix-1.example.net' });
    const unproven = {
      healthy: false,
      health: 'No other node has sent a packet through it, at rix-1.example.net, port 3478.',
    };
    const health = async () => {
      const { healthy, health: why } = (await show('rix-1')).body;
      return { healthy, health: why };
    };
    assert.deepEqual(await health(), unproven);
    const counts = { sessions: 0, refused: 0, denied: 0, over_quota: 0 };
    const traffic = { rx_bytes: 0, tx_bytes: 0, rx_packets: 0, tx_packets: 0 };
    await runs.beat({ observed: { ...proof('rix-1'), relay_load: { allocations: 0, ...counts, ...traffic } } });
    assert.deepEqual(await health(), unproven, 'what its own node says proves nothing');
    const witness = await TestNode.enroll(mesh);
    await witness.beat({ complete: true, observed: { relays: [{ name: 'rix-1', rtt_ms: 20 }] } });
    assert.deepEqual(await health(), unproven, 'nor does it that a node has measured it');
    await witness.beat({ observed: proof('rix-1') });
    assert.deepEqual(await health(), { healthy: true, health: 'Proven by 1 node.' });
    const problem = 'a packet that was sent through it did not come back';
    await witness.beat({ observed: { relay_proofs: [{ name: 'rix-1', carries: false, problem }] } });
    const { name } = await nodeRecord(witness.id);
    assert.deepEqual(await health(), { healthy: false, health: `No node can send through it. ${name}: ${problem}.` });
    await witness.beat({ observed: { relay_proofs: [] } });
    assert.deepEqual(await health(), unproven);
  });

  it('are assigned only to nodes whose agent sends traffic through relays, and only while healthy', async (t: TestContext) => {
    const { witness } = await measured('prg-1');
    const [able, unable] = [await TestNode.enroll(mesh), await TestNode.enroll(mesh)];
    await able.beat({ complete: true, report: { abilities: EVERYTHING } });
    await unable.beat({ complete: true });
    // The only healthy one by now: no node measures those of other tests, or their nodes are gone.
    await t.waitFor(async () => assert.equal((await nodeRecord(able.id)).relay, 'prg-1'), PATIENT);
    assert.equal((await nodeRecord(unable.id)).relay, null);
    assert.equal(unable.held.relay, null);
    const refused = await mesh.ask<{ code: string }>('PUT', `/v1/nodes/${unable.id}/relay`, {
      body: { relay: 'prg-1' },
    });
    assert.deepEqual([refused.status, refused.body.code], [409, 'node_state']);
    await witness.beat({ observed: { relay_proofs: [] } });
    await t.waitFor(async () => assert.equal((await nodeRecord(able.id)).relay, null), PATIENT);
  });

  it('are sent to agents that can measure them', async () => {
    await measured('waw-1');
    const [able, older] = [await TestNode.enroll(mesh), await TestNode.enroll(mesh)];
    const answer = await able.beat({ complete: true, report: { abilities: EVERYTHING } });
    assert.ok(
      answer.body.relays?.some(
        ({ name, host, port }) => name === 'waw-1' && host === 'waw-1.example.net' && port === 3478,
      ),
    );
    assert.equal('relays' in (await older.beat({ complete: true })).body, false);
    const upgraded = await older.beat({ report: { abilities: EVERYTHING } });
    assert.ok(
      upgraded.body.relays?.some(({ name }) => name === 'waw-1'),
      'as soon as it says that it can',
    );
  });

  it('are not healthy once their node is cut off', async () => {
    const { node } = await made('bcn-1');
    const cut = await mesh.ask('POST', `/v1/nodes/${node}/quarantine`, { body: {} });
    assert.equal(cut.status, 202, cut.text);
    assert.equal((await show('bcn-1')).body.healthy, false);
  });
});

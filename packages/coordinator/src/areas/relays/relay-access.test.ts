/** What nodes are given in order to send through relays, and what those who run one are given. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it, type TestContext } from 'node:test';
import { type AuditEntry, type HeartbeatReply, RELAY_CREDENTIAL_S, type Relay } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const SHARED = 'shared-with-the-turn-server';

describe('access to relays', () => {
  let mesh: TestCoordinator;
  let runs: TestNode;
  let uses: TestNode;
  before(async () => {
    mesh = await TestCoordinator.start();
    [runs, uses] = [await TestNode.enroll(mesh), await TestNode.enroll(mesh)];
  });
  after(() => mesh.close());

  const ask = (method: string, path: string, body?: object) =>
    mesh.ask<Relay & { errors?: { pointer: string }[] }>(method, path, body === undefined ? {} : { body });
  const everything = async (node: TestNode): Promise<HeartbeatReply> =>
    (await node.beat({ complete: true, report: { abilities: EVERYTHING } })).body;

  it('is given to the nodes of the mesh, and its secret to the node that runs it', async () => {
    await ask('POST', '/v1/relays', { name: 'fra-1', node: runs.id, host: '192.0.2.9' });
    const { relay_server } = await everything(runs);
    assert.ok(relay_server);
    const { secrets, ...server } = relay_server;
    assert.deepEqual(server, {
      name: 'fra-1',
      host: '192.0.2.9',
      realm: 'mesh',
      port: 3478,
      stun_ports: { first: 65_528, last: 65_535 },
      tls: { port: 443, certificate: 'mesh' },
      peers: ['192.0.2.9'],
      allocations: 2000,
      allocations_a_node: 6,
    });
    const reply = await everything(uses);
    assert.equal(reply.relay_server ?? null, null, 'a node that runs none knows no secret');
    const [access] = reply.relay_access ?? [];
    assert.ok(access);
    assert.equal(access.relay.tls?.server_name, `${await nameOf(runs)}.mesh`);
    const [ends_s = '', node] = access.username.split(':');
    assert.equal(node, uses.id);
    const left_s = Number(ends_s) - mesh.clock.now() / 1000;
    assert.ok(left_s > RELAY_CREDENTIAL_S / 3 && left_s <= RELAY_CREDENTIAL_S, `${left_s} s`);
    assert.equal(Date.parse(access.expires_at), Number(ends_s) * 1000);
    const made = secrets.map((secret) => createHmac('sha1', secret).update(access.username).digest('base64'));
    assert.equal(made[0], access.password);
    assert.equal((await everything(runs)).relay_access?.length ?? 0, 0, 'a node proves nothing of its own relay');
  });
  const nameOf = async ({ id }: TestNode) => (await mesh.ask<{ name: string }>('GET', `/v1/nodes/${id}`)).body.name;

  it('is turned over before it ends', async (t: TestContext) => {
    const [first] = (await everything(uses)).relay_access ?? [];
    mesh.clock.advance(RELAY_CREDENTIAL_S / 2 + RELAY_CREDENTIAL_S / 6 + 1);
    await t.waitFor(
      async () => {
        await uses.prove();
        const [next] = (await everything(uses)).relay_access ?? [];
        assert.notEqual(next?.username, first?.username);
        assert.ok(Date.parse(next?.expires_at ?? '') - mesh.clock.now() > (RELAY_CREDENTIAL_S / 3) * 1000);
      },
      { timeout: 20_000 },
    );
  });

  it('is made with another secret once another node runs the relay', async () => {
    await runs.prove();
    const before = (await everything(runs)).relay_server?.secrets;
    const heir = await TestNode.enroll(mesh);
    assert.equal((await ask('PATCH', '/v1/relays/fra-1', { node: heir.id })).status, 200);
    const { relay_server } = await everything(heir);
    assert.ok(relay_server?.secrets.every((secret) => before?.includes(secret) === false));
    assert.equal((await everything(runs)).relay_server, null);
  });

  it('to a TURN server of your own is made with its secret, which is never shown again', async () => {
    const got = await ask('POST', '/v1/relays', { name: 'turn-1', secret: SHARED, host: 'turn.example.net' });
    assert.equal(got.status, 201, got.text);
    const { kind, node, tls_port, certificate } = got.body;
    assert.deepEqual(
      { kind, node, tls_port, certificate },
      { kind: 'external', node: null, tls_port: null, certificate: 'public' },
    );
    const access = ((await everything(uses)).relay_access ?? []).find(({ relay }) => relay.name === 'turn-1');
    const password = createHmac('sha1', SHARED)
      .update(access?.username ?? '')
      .digest('base64');
    assert.equal(access?.password, password);
    const trail = await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?target=turn-1');
    for (const text of [got.text, trail.text, (await ask('GET', '/v1/relays/turn-1')).text]) {
      assert.ok(!text.includes(SHARED));
    }
    const changed = await ask('PATCH', '/v1/relays/turn-1', { secret: `${SHARED}-2` });
    assert.equal(changed.status, 200, changed.text);
    const later = ((await everything(uses)).relay_access ?? []).find(({ relay }) => relay.name === 'turn-1');
    const next = createHmac('sha1', `${SHARED}-2`)
      .update(later?.username ?? '')
      .digest('base64');
    assert.equal(later?.password, next);
    const { relay_server } = await everything(await runner('fra-1'));
    assert.ok(relay_server?.peers.includes('turn.example.net'), 'the relays of the mesh send to it too');
  });
  const runner = async (relay: string): Promise<TestNode> => {
    const node = await TestNode.enroll(mesh);
    await ask('PATCH', `/v1/relays/${relay}`, { node: node.id });
    return node;
  };

  it('is refused in a body that names both or neither, or what the other kind has', async () => {
    const pointerOf = async (method: string, path: string, body: object) => {
      const got = await ask(method, path, body);
      return [got.status, got.body.errors?.[0]?.pointer];
    };
    const base = { name: 'no-1', host: 'no-1.example.net' };
    assert.deepEqual(await pointerOf('POST', '/v1/relays', base), [422, '/node']);
    assert.deepEqual(await pointerOf('POST', '/v1/relays', { ...base, node: uses.id, secret: SHARED }), [422, '/node']);
    assert.deepEqual(await pointerOf('POST', '/v1/relays', { ...base, secret: 'short' }), [422, '/secret']);
    const mesh_certificate = { ...base, secret: SHARED, certificate: 'mesh' };
    assert.deepEqual(await pointerOf('POST', '/v1/relays', mesh_certificate), [422, '/certificate']);
    assert.deepEqual(await pointerOf('PATCH', '/v1/relays/turn-1', { node: uses.id }), [422, '/node']);
    assert.deepEqual(await pointerOf('PATCH', '/v1/relays/turn-1', { certificate: 'mesh' }), [422, '/certificate']);
    assert.deepEqual(await pointerOf('PATCH', '/v1/relays/fra-1', { secret: SHARED }), [422, '/secret']);
  });
});

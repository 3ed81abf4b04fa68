/** Agents of other versions: requests that were recorded with 0.1.0, and members that only a later version will know. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { EnrolledNode, HeartbeatReply, HeartbeatRequest, Node, Posture, Problem } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

interface Exchange<Q, A> {
  readonly path: string;
  readonly request: Q;
  readonly status: number;
  readonly answer: A;
}
const FOLDER = new URL('../../../../contract/fixtures/wire/0.1.0/', import.meta.url);
const recorded = <Q, A>(file: string) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Exchange<Q, A>[];

describe('an agent of version 0.1.0', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.allowEverything();
  });
  after(() => mesh.close());

  it('is enrolled, proves itself and sends heartbeats as before, with every recorded request', async () => {
    const [enrolment] = recorded<Record<string, unknown>, EnrolledNode>('enrolment.json');
    assert.ok(enrolment !== undefined);
    // The private half of the recorded key is gone, and the ids of this mesh are others.
    const { identity_key: _, ...request } = enrolment.request;
    const node = await TestNode.enroll(mesh, request);
    for (const member of Object.keys(enrolment.answer))
      assert.ok(member in node.enrolled, `${member} is still answered`);
    for (const { answer } of recorded<unknown, object>('node-sessions.json').slice(0, 1)) {
      const session = (await node.prove()).body;
      for (const member of Object.keys(answer)) assert.ok(member in session, `${member} is still answered`);
    }
    for (const { path, request: said } of recorded<HeartbeatRequest, HeartbeatReply>('heartbeats.json')) {
      const text = JSON.stringify(said).replaceAll(enrolment.answer.id, node.id);
      const { boot_id, seq, revision: __, ...rest } = JSON.parse(text) as HeartbeatRequest;
      if (node.boot_id !== boot_id) Object.assign(node, { boot_id, revision: 0 });
      node.seq = seq - 1;
      const got = await node.beat({ ...rest, sent_at: new Date(mesh.clock.now()).toISOString() });
      assert.equal(got.status, 200, `${path} ${got.text}`);
      if (rest.report?.wireguard_key !== undefined) await node.prove();
    }
    const { items } = (await mesh.ask<{ items: Node[] }>('GET', '/v1/nodes')).body;
    const [record] = items;
    assert.deepEqual([record?.state, record?.abilities, record?.agent_version], ['active', null, '0.1.0']);
    assert.match((await mesh.ask('GET', '/metrics')).text, /mesh_coordinator_endpoints_left_out_total 0/);
  });

  it('is taken for one that carries no relays and gateways, and what it says of them is no drift', async () => {
    const node = await TestNode.enroll(mesh);
    await node.settle();
    const error = 'traffic does not go through fra-1: this agent sends it directly only';
    await node.beat({ applied: { relay: { revision: 0, digest: '000000000000', error } } });
    mesh.clock.advance(600);
    await node.beat({ applied: { ...node.applied(), relay: { revision: 0, digest: '000000000000', error } } });
    const { sections, drift_since } = (await mesh.ask<Posture>('GET', `/v1/nodes/${node.id}/posture`)).body;
    assert.deepEqual([drift_since, sections.relay.carried, sections.relay.reason], [null, false, null]);
  });
});

describe('an agent of a later version', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  it('is answered, and what this version does not know is ignored and counted', async () => {
    const node = await TestNode.enroll(mesh, { attestation: { kind: 'tpm' } });
    const proof = await node.proof();
    const session = await mesh.ask('POST', '/v1/auth/node-sessions', { body: { proof, nonce: 'x' }, token: null });
    assert.equal(session.status, 201, session.text);
    const strange = {
      report: {
        endpoints: ['192.0.2.9:51820'],
        mood: 'fair',
        abilities: { sections: ['self', 'teleport'], engines: {}, since: 1 },
      },
      observed: { weather: {}, relays: [{ name: 'fra-1', rtt_ms: 1, lost: 0 }] },
      applied: { teleport: { revision: 1, digest: '000000000000', error: 'no' } },
      colour: 'red',
    } as unknown as Partial<HeartbeatRequest>;
    assert.equal((await node.beat(strange)).status, 200);
    const record = (await mesh.ask<Node>('GET', `/v1/nodes/${node.id}`)).body;
    assert.deepEqual(record.endpoints, ['192.0.2.9:51820'], 'known members beside them count');
    assert.deepEqual(record.abilities, { sections: ['self', 'teleport'], engines: {} });
    const { text } = await mesh.ask('GET', '/metrics');
    assert.match(text, /mesh_coordinator_unknown_members_total\{operation="agents.heartbeat"\} 6/);
    assert.match(text, /mesh_coordinator_unknown_members_total\{operation="agents.session"\} 1/);
    assert.match(text, /mesh_coordinator_unknown_members_total\{operation="nodes.enroll"\} 1/);
  });

  it('is refused for known members with wrong values all the same', async () => {
    const node = await TestNode.enroll(mesh);
    const wrong = await node.beat({
      report: { endpoints: ['nowhere'], mood: 1 },
    } as unknown as Partial<HeartbeatRequest>);
    assert.deepEqual([wrong.status, wrong.body.errors?.map(({ pointer }) => pointer)], [422, ['/report/endpoints/0']]);
    const other = await mesh.ask<Problem>('POST', '/v1/auth/tokens', { body: { name: 'x', mood: 1 } });
    assert.equal(other.status, 422, 'other operations refuse what they do not know');
  });
});

describe('endpoints that no peer can have', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  it('are left out at enrolment and in heartbeats, which are taken all the same, and peers never hear of them', async () => {
    const bad = ['127.0.0.1:51820', '[::1]:51820', '169.254.169.254:80', '[fe80::1]:51820', '224.0.0.1:51820'];
    const node = await TestNode.enroll(mesh, { endpoints: [...bad, '10.0.0.7:51820'] });
    assert.deepEqual(node.enrolled.endpoints, ['10.0.0.7:51820']);
    const worse = ['255.255.255.255:1', '0.0.0.0:1', '[::ffff:127.0.0.1]:51820'];
    const got = await node.beat({ complete: true, report: { endpoints: [...worse, '192.0.2.7:51820'] } });
    assert.equal(got.status, 200, got.text);
    const peer = await TestNode.enroll(mesh);
    await peer.beat({ complete: true });
    assert.deepEqual(peer.peers.get(node.id)?.endpoints, ['192.0.2.7:51820']);
    assert.match((await mesh.ask('GET', '/metrics')).text, /mesh_coordinator_endpoints_left_out_total 8/);
  });

  it('are no relays either, unless the settings allow it', async () => {
    const node = await TestNode.enroll(mesh, { name: 'edge-1' });
    const create = async (host: string) => {
      const { id } = await TestNode.enroll(mesh); // an agent runs one relay
      return mesh.ask<Problem>('POST', '/v1/relays', { body: { name: `r-${made++}`, node: id, host } });
    };
    let made = 1;
    for (const host of ['127.0.0.1', '::1', '169.254.169.254', '224.0.0.1', '0.0.0.0']) {
      const got = await create(host);
      assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, '/host'], host);
    }
    for (const host of ['10.0.0.1', '192.0.2.1', 'localhost']) assert.equal((await create(host)).status, 201, host);
    const change = await mesh.ask<Problem>('PATCH', '/v1/relays/r-6', { body: { host: '127.0.0.1' } });
    assert.equal(change.status, 422);
    await mesh.ask('PATCH', '/v1/settings', { body: { relays: { allow_special_addresses: true } } });
    assert.equal((await create('127.0.0.1')).status, 201);
    const abilities = { sections: ['self', 'relays'], engines: {} };
    const answer = await node.beat({ complete: true, report: { abilities } });
    assert.ok(
      answer.body.relays?.every(({ any_address }) => any_address === true),
      'so that agents ask them',
    );
  });
});

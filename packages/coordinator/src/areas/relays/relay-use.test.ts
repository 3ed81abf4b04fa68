/** The relays that a node uses, from its measurements to what it is sent and what callers see. */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { HeartbeatRequest, Node, NodeOperation, Relay } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const PATIENT = { timeout: 20_000 };

describe('a node and its relays', () => {
  let mesh: TestCoordinator;
  let node: TestNode;
  let witness: TestNode;
  before(async () => {
    mesh = await TestCoordinator.start();
    for (const [name, site] of [
      ['fra-1', 'fra'],
      ['ams-1', 'ams'],
    ] as const) {
      const runs = await TestNode.enroll(mesh);
      await runs.beat({ complete: true, report: { abilities: EVERYTHING } });
      const body = { name, site, node: runs.id, host: `${name}.example.net` };
      assert.equal((await mesh.ask('POST', '/v1/relays', { body })).status, 201);
    }
    [node, witness] = [await TestNode.enroll(mesh), await TestNode.enroll(mesh)];
    await node.settle();
    await proves('fra-1', 'ams-1');
  });
  after(() => mesh.close());

  const relays = [
    { name: 'fra-1', rtt_ms: 12 },
    { name: 'ams-1', rtt_ms: 31 },
  ];
  /** Those that carry what the witness sends, and no other. */
  const proves = (...carrying: readonly string[]) =>
    witness.beat({
      complete: true,
      observed: { relay_proofs: relays.map(({ name }) => ({ name, carries: carrying.includes(name) })) },
    });
  const says = async (report: HeartbeatRequest['report'] = {}) => {
    const said = { report: { abilities: EVERYTHING, ...report }, observed: { relays } };
    return (await node.beat({ complete: true, applied: node.applied(), ...said })).body;
  };
  const at = (...names: readonly string[]) =>
    names.map((relay, place) => ({ relay, endpoint: `198.51.100.9:${50_000 + place}` }));
  const record = async () => (await mesh.ask<Node>('GET', `/v1/nodes/${node.id}`)).body;
  const shown = async (name: string) => (await mesh.ask<Relay>('GET', `/v1/relays/${name}`)).body;

  it('is sent its home and its standby, and callers see why', async (t: TestContext) => {
    await t.waitFor(async () => {
      const { relay_access } = await says();
      const uses = (relay_access ?? []).map(({ relay, use }) => [relay.name, use]);
      assert.deepEqual(uses, [
        ['fra-1', 'home'],
        ['ams-1', 'standby'],
      ]);
    }, PATIENT);
    const { relay, standby_relay, relay_choice, relay_rtt_ms, standby_rtt_ms } = await record();
    assert.deepEqual([relay, standby_relay], ['fra-1', 'ams-1']);
    assert.deepEqual([relay_rtt_ms, standby_rtt_ms], [12, 31]);
    assert.equal(relay_choice?.why, 'fra-1: 12 ms, the next is ams-1 with 31 ms');
    assert.ok(Math.abs(Date.parse(relay_choice?.chosen_at ?? '') - mesh.clock.now()) < 60_000);
    const isListed = async (query: string) => {
      const { items } = (await mesh.ask<{ items: Node[] }>('GET', `/v1/nodes?${query}`)).body;
      return items.some(({ id }) => id === node.id);
    };
    assert.equal(await isListed('relay=fra-1'), true);
    assert.equal(await isListed('standby_relay=ams-1'), true);
    assert.equal(await isListed('standby_relay=fra-1'), false);
    assert.ok((await shown('ams-1')).standbys >= 1);
  });

  it('has moved when it says that it receives by the new relay first, and keeps its old place until then', async (t) => {
    await says({ relayed: at('fra-1', 'ams-1') });
    const got = await mesh.ask<NodeOperation>('PUT', `/v1/nodes/${node.id}/relay`, { body: { relay: 'ams-1' } });
    assert.equal(got.status, 202, got.text);
    const state = async () => (await mesh.ask<NodeOperation>('GET', `/v1/operations/${got.body.id}`)).body.state;
    await t.waitFor(async () => {
      const { relay_access } = await says({ relayed: at('fra-1', 'ams-1') });
      const uses = (relay_access ?? []).map(({ relay, use }) => [relay.name, use]);
      assert.deepEqual(uses, [
        ['ams-1', 'home'],
        ['fra-1', 'standby'],
      ]);
    }, PATIENT);
    // It reaches the relay, and its peers are still sent to the other one.
    await node.beat({ observed: { relay: 'ams-1' }, applied: node.applied() });
    await node.beat({ applied: node.applied() });
    assert.equal(await state(), 'delivered');
    await says({ relayed: at('ams-1', 'fra-1') });
    await says({ relayed: at('ams-1', 'fra-1') });
    assert.equal(await state(), 'verified');
    assert.equal((await record()).relay_choice?.why, 'pinned by an operator');
  });

  it('goes on by its standby when its home carries no more, and leaves a relay that is drained', async (t) => {
    await mesh.ask('PUT', `/v1/nodes/${node.id}/relay`, { body: { relay: null } });
    await proves('fra-1');
    await t.waitFor(async () => {
      const { relay, standby_relay, relay_choice } = await record();
      assert.deepEqual([relay, standby_relay], ['fra-1', null]);
      assert.equal(relay_choice?.why, 'ams-1 does not carry any more; its standby took over');
    }, PATIENT);
    await proves('fra-1', 'ams-1');
    await t.waitFor(async () => assert.equal((await record()).standby_relay, 'ams-1'), PATIENT);
    await says({ relayed: at('fra-1', 'ams-1') });
    assert.equal((await mesh.ask('POST', '/v1/relays/fra-1/drain')).status, 200);
    await t.waitFor(async () => {
      const { nodes, standbys } = await shown('fra-1');
      assert.deepEqual([nodes, standbys], [0, 0]);
      assert.equal((await record()).relay, 'ams-1');
    }, PATIENT);
  });
});

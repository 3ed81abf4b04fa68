import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { roleDuties } from '../../test/role-duties.ts';
import { TestFleet } from '../../test/test-fleet.ts';
import { RelayProofs } from '../node-status/relay-proofs.ts';
import { Scheduler } from './scheduler.ts';

const THEN = '2026-11-15T09:30:00Z';
const NET = '10.20.0.0/16';
const GONE = '10.30.0.0/16';
const NEW = '10.40.0.0/16';
const GATEWAY = ['role:gateway'];

describe('the duties of a coordinator', () => {
  let fleet: TestFleet;
  beforeEach(async () => {
    fleet = await TestFleet.open();
  });
  afterEach(async () => {
    await fleet.close();
    assert.deepEqual(fleet.failures, []);
  });

  it('corrects after a start what changed while no coordinator ran', async () => {
    const a = await fleet.relay('a');
    await fleet.relay('b');
    const node = await fleet.node('git-1', { offers: [NET], tags: GATEWAY });
    const web = fleet.newIngressId();
    await fleet.ingress(web);
    const leaver = await fleet.node('gw-1', { offers: [GONE] });
    await fleet.duties.close();
    const spare = fleet.newNode('git-2', { offers: [NET, NEW], tags: GATEWAY });
    await fleet.write(...spare.writes);
    await fleet.change(leaver, { removed_at: THEN });
    await fleet.stale(a, node);
    assert.deepEqual([fleet.providerOf(GONE), fleet.providerOf(NEW)], [leaver, null]);
    assert.deepEqual([fleet.relayOf(node), fleet.relayOf(spare.id), fleet.providerOf(NET)], ['a', null, node]);
    await fleet.down();
    await fleet.up();
    await fleet.duties.idle();
    assert.deepEqual([fleet.relayOf(node), fleet.relayOf(spare.id), fleet.providerOf(NET)], ['b', 'b', spare.id]);
    assert.deepEqual([fleet.providerOf(GONE), fleet.providerOf(NEW)], [null, spare.id]);
    assert.deepEqual(fleet.gatewaysOf(web), ['git-2']);
  });

  it('runs on one of several coordinators, and the next takes over; but each acts on heartbeats that only it received', async () => {
    const first = await fleet.node('gw-1', { tags: GATEWAY });
    const web = fleet.newIngressId();
    await fleet.ingress(web);
    await fleet.change(first, { draining_since: THEN });
    const others = new Map([[first, 1]]);
    const { duties, onHeartbeat } = roleDuties(fleet.mesh, {
      now: () => 0,
      round_trips: { of: () => new Map() },
      proofs: new RelayProofs(),
      counts: {
        connections: (node) => others.get(node) ?? null,
        isDrained: (node) => others.get(node) === 0,
        refuses: () => true,
        ended: () => ({ cut: 0, deadline: null }),
      },
    });
    const failed = (error: unknown) => void fleet.failures.push(error);
    const second = new Scheduler({ mesh: fleet.mesh, duties, failed });
    const transact = fleet.mesh.transact.bind(fleet.mesh);
    let rounds = 0;
    fleet.mesh.transact = (cause, run, repeatable) => {
      if (cause.action === 'ingress.place') rounds++;
      return transact(cause, run, repeatable);
    };
    try {
      await fleet.change(first, { session_epoch: 2 });
      onHeartbeat(first);
      await second.idle();
      assert.equal(rounds, 1);
      assert.deepEqual(fleet.gatewaysOf(web), ['gw-1-']);
      others.set(first, 0);
      onHeartbeat(first);
      await second.idle();
      assert.deepEqual(fleet.gatewaysOf(web), []);
      await fleet.duties.close();
      await new Promise((resolve) => setImmediate(resolve));
      await fleet.node('gw-2', { tags: GATEWAY });
      await second.idle();
      assert.deepEqual(fleet.gatewaysOf(web), ['gw-2']);
    } finally {
      await second.close();
    }
  });

  it('writes nothing when nothing is to change', async () => {
    await fleet.relay('a');
    const node = await fleet.node('git-1', { offers: [NET], tags: GATEWAY });
    await fleet.ingress(fleet.newIngressId());
    const { revision } = fleet.mesh.model;
    await fleet.change(node, { session_epoch: 2 });
    fleet.onHeartbeat(node);
    await fleet.duties.idle();
    assert.equal(fleet.mesh.model.revision, revision + 1, 'only what the test wrote');
    await fleet.down();
    await fleet.up();
    await fleet.duties.idle();
    assert.equal(fleet.mesh.model.revision, revision + 1);
  });

  it('tries again when the store refused, and leaves nothing out', async () => {
    await fleet.relay('a');
    const { id, writes } = fleet.newNode('git-1');
    const transact = fleet.mesh.transact.bind(fleet.mesh);
    let refusals = 1;
    fleet.mesh.transact = (cause, run, repeatable) =>
      cause.action === 'relays.assign' && refusals-- > 0
        ? Promise.reject(new Error('no'))
        : transact(cause, run, repeatable);
    await fleet.write(...writes);
    assert.equal(fleet.relayOf(id), 'a');
    assert.equal(fleet.failures.splice(0).length, 1);
  });
});

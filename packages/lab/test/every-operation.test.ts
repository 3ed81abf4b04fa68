/** Every operation on a node, asked for over the API and proven, or not, by real agents. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { NODE_OPERATION_KINDS, type NodeOperationKind } from '@meshwork/contract';
import { OPERATION_CASES } from './operation-cases.ts';
import type { OperationScene } from './operation-scene.ts';
import { OperationWorld } from './operation-world.ts';

/** For operations that no node is going to prove. */
const IMPATIENT_S = 1;

describe('every operation on a node', { concurrency: 12 }, () => {
  const worlds: OperationWorld[] = [];
  const opened = async (...given: Parameters<typeof OperationWorld.open>) => {
    const world = await OperationWorld.open(...given);
    worlds.push(world);
    return world;
  };
  let patient: OperationWorld;
  let impatient: OperationWorld;
  /** Where nodes are pending until they are approved. */
  let strict: { readonly patient: OperationWorld; readonly impatient: OperationWorld };
  before(async () => {
    const operations = { timeout_s: IMPATIENT_S };
    // A coordinator gives nodes two heartbeats before it gives up on an operation.
    const nodes = { heartbeat_interval_s: 1 };
    const strictly = { require_approval: true };
    patient = await opened({});
    impatient = await opened({ nodes, operations });
    strict = {
      patient: await opened({ nodes: strictly }),
      impatient: await opened({ nodes: { ...nodes, ...strictly }, operations }),
    };
  });
  after(async () => {
    for (const world of worlds) await world.close();
  });
  const worldOf = (kind: NodeOperationKind, patience: 'patient' | 'impatient') =>
    kind === 'approve' ? strict[patience] : { patient, impatient }[patience];

  for (const kind of NODE_OPERATION_KINDS) {
    const { witness, isHeard, hinder, fails } = OPERATION_CASES[kind];

    it(`${kind}: is proven`, async () => {
      const world = worldOf(kind, 'patient');
      await using scene = await world.scene(kind);
      if (kind === 'drain') scene.node.plane.setConnections(0);
      const operation = await world.ask(scene, kind);
      await world.assertEnded(operation, 'verified');
      await OPERATION_CASES[kind].assertDone(scene);
    });

    it(`${kind}: is held up, ${isHeard ? 'delivered, ' : ''}and proven once nothing is in its way any more`, async () => {
      const world = worldOf(kind, 'patient');
      await using scene = await world.scene(kind);
      const hindrance = hinder?.(scene) ?? neverApplies(scene, witness);
      const operation = await world.ask(scene, kind);
      if (isHeard) await world.untilState(operation, 'delivered');
      else await untilPeerSaysSo(scene);
      assert.equal((await world.shown(operation)).ended_at, null);
      hindrance.relent();
      await world.assertEnded(operation, 'verified');
      assert.deepEqual(world.reportedStates(operation), ['requested', ...(isHeard ? ['delivered'] : []), 'verified']);
      await OPERATION_CASES[kind].assertDone(scene);
    });

    it(`${kind}: times out when ${witness === 'node' ? 'the node' : 'a peer'} is silent`, async () => {
      const world = worldOf(kind, 'impatient');
      await using scene = await world.scene(kind);
      scene.isSilent = true;
      await scene.fleet.stop([witness === 'node' ? scene.node : scene.peer]);
      const operation = await world.ask(scene, kind);
      await world.assertEnded(operation, 'timed_out', /^not in time: /);
    });

    it(`${kind}: ${fails === undefined ? 'times out when nothing takes effect' : 'fails when the node cannot'}`, async () => {
      const world = worldOf(kind, fails === undefined ? 'impatient' : 'patient');
      await using scene = await world.scene(kind);
      if (fails === undefined) neverApplies(scene, witness);
      else scene.fleet.fail([scene.node], 'fails_commands');
      const operation = await world.ask(scene, kind);
      if (fails === undefined) await world.assertEnded(operation, 'timed_out', /^not in time: /);
      else await world.assertEnded(operation, 'failed', fails);
    });

    // What these are proven by is no section that could be another one.
    if (fails !== undefined || kind === 'move_relay') continue;
    it(`${kind}: times out when something else than was sent takes effect`, async () => {
      const world = worldOf(kind, 'impatient');
      await using scene = await world.scene(kind);
      if (kind === 'drain') scene.node.plane.setConnections(0);
      scene.fleet.fail([witness === 'node' ? scene.node : scene.peer], 'wrong_digests');
      const operation = await world.ask(scene, kind);
      await world.assertEnded(operation, 'timed_out', /^not in time: /);
    });
  }
});

function neverApplies({ fleet, node, peer }: OperationScene, witness: 'node' | 'peer') {
  const witnesses = [witness === 'node' ? node : peer];
  fleet.fail(witnesses, 'never_applies');
  // The node of an enrolment is another one by then.
  return { relent: () => fleet.fail(fleet.nodes, undefined) };
}

/** The peer has received the removal, and reports that it could not apply it. */
async function untilPeerSaysSo({ client, node, peer, until }: OperationScene): Promise<void> {
  await until(async () => {
    const { peers } = (await client.call('nodes.posture', { params: { id: peer.id } })).body.sections;
    return peer.view?.peers.has(node.id) === false && peers.observed?.error !== undefined;
  }, 'the peer could not let go');
}

import { invalid, MeshError, type NodeId } from '@meshwork/contract';
import { currentActor } from '../../access/node-session.ts';
import { spend } from '../../fleet/allowance.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { putBackRepairs, takeDueRepairs, writeRepairs } from '../../fleet/repairs.ts';
import { rollbacksDiffer, rollbacksOf, writeRollbacks } from '../../fleet/rollbacks.ts';
import type { Sighting, UntoldRepairs } from '../../fleet/sighting.ts';
import { driftDiffers, driftingSections, driftingSectionsOf, writeDrift } from '../../fleet/watch-drift.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import { boundaryOfNode } from '../../mesh/node-state.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { NodeView } from '../../views/node-view.ts';
import { arePeers } from '../../views/reach.ts';
import type { Call, Reply } from '../handler.ts';
import { noteHeartbeat } from './note.ts';
import { ensureNewest, ensureNewestBoot } from './order.ts';
import { anyStep, takeSteps } from './prove.ts';
import { checkReport, hasNewKey, newReport, writeKey, writeRecovery, writeReport } from './take-in.ts';

type Beat = Call<'agents.heartbeat'>;
type Answer = Reply<'agents.heartbeat'>;

/** Of heartbeats that do not wait, so that those of many nodes drift apart. */
const JITTER = 0.1;
/** The part of the interval over which those come back that were sent away: as after a failure, by their own choice. */
const RETURN_WITHIN = 1 / 3;

/** What there is to know of the node that sends it. */
interface Known {
  readonly node: Stored<'node'>;
  readonly sighting: Sighting;
  readonly view: NodeView;
}

interface Parts {
  readonly mesh: Mesh;
  readonly fleet: Fleet;
}

/**
 * One heartbeat, from what the node says to what it is told. Nearly all of them say nothing new and are answered, or left
 * waiting, without a promise and without a write.
 */
export function heartbeat(parts: Parts, call: Beat): Answer | Promise<Answer> {
  const { mesh, fleet } = parts;
  const { body } = call;
  const id = ensureOneNode(call);
  const known = knownOf(parts, id);
  const { node, sighting, view } = known;
  checkReport(body);
  ensureNewest(body, sighting, mesh.model.get('report', id)?.body);
  noteHeartbeat(sighting, body, call, (other) => arePeers(fleet.views.reach, id, other));
  fleet.sightings.heard(id, sighting, call.now_ms);
  fleet.views.holds(view, body.revision);
  fleet.steward.heard(id);
  if (body.applied !== undefined) fleet.watchman.heard();
  const isChanged = newReport(mesh.model, node, body) !== undefined || hasNewKey(node, body);
  if (isChanged) spend(sighting, fleet.sightings.now());
  const repairs = takeDueRepairs(sighting, mesh.model, id, call.now_ms);
  if (isChanged || repairs !== undefined || hasMeaning(parts, known, call)) {
    const written = call.transact((tx) => takeIn(tx, parts, call, repairs));
    if (repairs !== undefined) written.catch(() => putBackRepairs(sighting, repairs)); // the failure is answered below
    return written.then(() => answerOrWait(parts, call, knownOf(parts, id)));
  }
  return answerOrWait(parts, call, known);
}

/** The session, the path and the body must mean the same node. */
function ensureOneNode({ actor, params, body }: Beat): NodeId {
  if (params.id !== actor.id) {
    throw new MeshError('node_mismatch', 'The session is that of another node than the path names.');
  }
  if (body.node !== actor.id) throw invalid('/node', `must be ${actor.id}, as in the path`);
  return actor.id;
}

function knownOf({ mesh, fleet }: Parts, id: NodeId): Known {
  const node = mesh.model.get('node', id);
  if (node === undefined) throw new MeshError('not_found', `There is no node "${id}".`);
  return { node, sighting: fleet.sightings.of(id), view: fleet.views.of(id) };
}

/** Whether the heartbeat changes anything else that lasts. */
function hasMeaning({ mesh, fleet }: Parts, { node, sighting, view }: Known, { body }: Beat): boolean {
  const { model } = mesh;
  return (
    // Another coordinator has told it more than this one knows: a commit, even of nothing, brings us up to date first.
    body.revision > model.revision ||
    model.get('liveness', node.id) !== undefined ||
    anyStep({ view: model, fleet, node, body }) ||
    rollbacksDiffer(model, node.id, rollbacksOf(model, node.id, sighting)) ||
    driftDiffers(model, node.id as NodeId, driftingSections(model, fleet, { sighting, view }))
  );
}

/** Writes down what lasts. Everything is looked at once more: another change may have come first. */
function takeIn(tx: Transaction, { fleet }: Parts, { actor, body }: Beat, repairs: UntoldRepairs | undefined): void {
  const found = tx.get('node', actor.id);
  if (found === undefined) return;
  ensureNewestBoot(body.boot_id, tx.get('report', actor.id)?.body);
  writeRecovery(tx, found);
  const report = newReport(tx, found, body);
  if (report !== undefined) writeReport(tx, found, report);
  const isRekeyed = hasNewKey(found, body) && body.report?.wireguard_key !== undefined;
  const node = isRekeyed ? writeKey(tx, found, body.report?.wireguard_key ?? '') : found;
  const steps = takeSteps(tx, { fleet, node, body });
  const drifting = driftingSectionsOf(tx, fleet, actor.id);
  if (driftDiffers(tx, actor.id, drifting)) writeDrift(tx, node, drifting);
  if (repairs !== undefined) writeRepairs(tx, node, repairs);
  const rollbacks = rollbacksOf(tx, actor.id, fleet.sightings.of(actor.id));
  if (rollbacksDiffer(tx, actor.id, rollbacks)) writeRollbacks(tx, node, rollbacks);
  if (!isRekeyed && steps.length === 0) return;
  const told = steps.map((step) => `${step.id} is ${step.body.state}`);
  const detail = [...(isRekeyed ? ['uses a new WireGuard key'] : []), ...told].join('; ');
  tx.record({ target: { kind: 'node', id: node.id }, scope: boundaryOfNode(node.body), detail });
}

/** Answers at once when there is something to say, or nobody asked to wait. */
function answerOrWait(parts: Parts, call: Beat, known: Known): Answer | Promise<Answer> {
  const { mesh, fleet } = parts;
  const { sighting, view } = known;
  const asked_s = call.query.wait ?? 0;
  const wait_s = asked_s === 0 ? 0 : Math.min(asked_s, settingsOf(mesh.model).nodes.heartbeat_interval_s);
  const held = call.body.revision;
  const { id, epoch } = call.actor;
  if (fleet.views.isFurtherBack(view, held)) spend(sighting, fleet.sightings.now());
  const isNews = fleet.views.hasChangedSince(view, held) || asksForAll(sighting);
  // A heartbeat that ended its own session, by a new key, was taken in: there is nothing it could wait for.
  if (isNews || wait_s === 0 || !isStillCurrent(mesh, id, epoch)) {
    return { json: answerText(parts, known, held, wait_s > 0) };
  }
  return new Promise((resolve, reject) => {
    const answer = (isOver: boolean): boolean => {
      try {
        if (!isOver && isStillCurrent(mesh, id, epoch) && !fleet.views.hasChangedSince(fleet.views.of(id), held))
          return false;
        currentActor(mesh.model, id, epoch);
        resolve({ json: answerText(parts, knownOf(parts, id), held, true) });
      } catch (error) {
        reject(error);
      }
      return true;
    };
    fleet.waiting.wait(id, wait_s * 1000, answer);
    call.whenGone(() => fleet.waiting.drop(id, answer));
  });
}

/** Only the first time is it worth an answer at once: an agent that does not say all of it would never rest. */
function asksForAll(sighting: Sighting): boolean {
  const isFirst = !sighting.told_all && !sighting.asked_all;
  sighting.asked_all = !sighting.told_all;
  return isFirst;
}

function isStillCurrent(mesh: Mesh, id: NodeId, epoch: number): boolean {
  return mesh.model.get('node', id)?.body.session_epoch === epoch;
}

function answerText(parts: Parts, { node, sighting }: Known, held: number, waits: boolean): string {
  const { mesh, fleet } = parts;
  if (mesh.model.hasFailed) mesh.ensureUpToDate(); // throws: what would be told may be wrong
  const changes = fleet.views.changesSince(node, held);
  const next_s = nextS(parts, waits);
  const report = sighting.told_all ? '' : ',"report":"everything"';
  return `{"revision":${mesh.model.revision},"next_s":${next_s}${report}${changes === '' ? '' : `,${changes}`}}`;
}

/** Whoever waited comes back at once, except when a coordinator that closes sends all of them away at the same moment. */
function nextS({ mesh, fleet }: Parts, waits: boolean): number {
  const { heartbeat_interval_s: interval_s } = settingsOf(mesh.model).nodes;
  if (fleet.waiting.closed) return rounded(interval_s * RETURN_WITHIN * Math.random());
  return waits ? 0 : rounded(interval_s * (1 + JITTER * (Math.random() * 2 - 1)));
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

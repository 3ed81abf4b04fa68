import { invalid, MeshError, type NodeId } from '@meshwork/contract';
import { currentActor } from '../../access/node-session.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { Sighting } from '../../fleet/sighting.ts';
import { driftDiffers, driftingSections, writeDrift } from '../../fleet/watch-drift.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import { boundaryOfNode } from '../../mesh/node-state.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { noteHeartbeat } from './note.ts';
import { ensureNewest } from './order.ts';
import { anyStep, takeSteps } from './prove.ts';
import { checkReport, hasNewKey, newReport, writeKey, writeRecovery, writeReport } from './take-in.ts';

type Beat = Call<'agents.heartbeat'>;
type Answer = Reply<'agents.heartbeat'>;

/** Of heartbeats that do not wait, so that those of many nodes drift apart. */
const JITTER = 0.1;

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
  const node = nodeOf(mesh, id);
  const sighting = fleet.sightings.of(id);
  checkReport(mesh.model, body);
  ensureNewest(body, sighting, mesh.model.get('report', id)?.body);
  noteHeartbeat(sighting, body, call);
  fleet.sightings.heard(id, sighting, call.now_ms);
  fleet.views.holds(id, body.revision);
  fleet.steward.heard(id);
  if (body.applied !== undefined) fleet.watchman.heard();
  if (hasMeaning(parts, node, call)) {
    return call.transact((tx) => takeIn(tx, parts, call)).then(() => answerOrWait(parts, call, id));
  }
  return answerOrWait(parts, call, id);
}

/** The session, the path and the body must mean the same node. */
function ensureOneNode({ actor, params, body }: Beat): NodeId {
  if (params.id !== actor.id) {
    throw new MeshError('node_mismatch', 'The session is that of another node than the path names.');
  }
  if (body.node !== actor.id) throw invalid('/node', `must be ${actor.id}, as in the path`);
  return actor.id;
}

function nodeOf(mesh: Mesh, id: NodeId): Stored<'node'> {
  const node = mesh.model.get('node', id);
  if (node === undefined) throw new MeshError('not_found', `There is no node "${id}".`);
  return node;
}

/** Whether the heartbeat changes anything that lasts. */
function hasMeaning({ mesh, fleet }: Parts, node: Stored<'node'>, { body }: Beat): boolean {
  const view = mesh.model;
  return (
    view.get('liveness', node.id) !== undefined ||
    newReport(view, node, body) !== undefined ||
    hasNewKey(node, body) ||
    anyStep({ view, fleet, node, body }) ||
    driftDiffers(view, node.id as NodeId, driftingSections(view, fleet, node.id as NodeId))
  );
}

/** Writes down what lasts. Everything is looked at once more: another change may have come first. */
function takeIn(tx: Transaction, { fleet }: Parts, { actor, body }: Beat): void {
  const found = tx.get('node', actor.id);
  if (found === undefined) return;
  writeRecovery(tx, found);
  const report = newReport(tx, found, body);
  if (report !== undefined) writeReport(tx, found, report);
  const isRekeyed = hasNewKey(found, body) && body.report?.wireguard_key !== undefined;
  const node = isRekeyed ? writeKey(tx, found, body.report?.wireguard_key ?? '') : found;
  const steps = takeSteps(tx, { fleet, node, body });
  const drifting = driftingSections(tx, fleet, actor.id);
  if (driftDiffers(tx, actor.id, drifting)) writeDrift(tx, node, drifting);
  if (!isRekeyed && steps.length === 0) return;
  const told = steps.map((step) => `${step.id} is ${step.body.state}`);
  const detail = [...(isRekeyed ? ['uses a new WireGuard key'] : []), ...told].join('; ');
  tx.record({ target: { kind: 'node', id: node.id }, scope: boundaryOfNode(node.body), detail });
}

/** Answers at once when there is something to say, or nobody asked to wait. */
function answerOrWait(parts: Parts, call: Beat, id: NodeId): Answer | Promise<Answer> {
  const { mesh, fleet } = parts;
  const wait_s = Math.min(call.query.wait ?? 0, settingsOf(mesh.model).nodes.heartbeat_interval_s);
  const held = call.body.revision;
  const isNews = fleet.views.hasChangedSince(id, held) || asksForAll(fleet.sightings.of(id));
  if (isNews || wait_s === 0) return { json: answerText(parts, id, held, wait_s > 0) };
  const { epoch } = call.actor;
  return new Promise((resolve, reject) => {
    const answer = (isOver: boolean): boolean => {
      try {
        if (!isOver && isStillCurrent(mesh, id, epoch) && !fleet.views.hasChangedSince(id, held)) return false;
        currentActor(mesh.model, id, epoch);
        resolve({ json: answerText(parts, id, held, true) });
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

function answerText({ mesh, fleet }: Parts, id: NodeId, held: number, waits: boolean): string {
  const node = nodeOf(mesh, id);
  const changes = fleet.views.changesSince(node, held);
  const next_s = waits ? 0 : jittered(settingsOf(mesh.model).nodes.heartbeat_interval_s);
  const report = fleet.sightings.of(id).told_all ? '' : ',"report":"everything"';
  return `{"revision":${mesh.model.revision},"next_s":${next_s}${report}${changes === '' ? '' : `,${changes}`}}`;
}

function jittered(interval_s: number): number {
  return Math.round(interval_s * (1 + JITTER * (Math.random() * 2 - 1)) * 1000) / 1000;
}

import { invalid, MeshError, type NodeId } from '@meshwork/contract';
import { currentActor } from '../../access/node-session.ts';
import { keepGatewayRequest } from '../../mesh/gateway-certificates.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import { keepRequest, keepTrusted } from '../../mesh/node-certificates.ts';
import { boundaryOfNode } from '../../mesh/node-state.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { NodeStatus } from '../../node-status/node-status.ts';
import { putBackRepairs, takeRepairs, writeRepairs } from '../../node-status/repairs.ts';
import { writeRollbacks } from '../../node-status/rollbacks.ts';
import type { NodeView } from '../../views/node-view.ts';
import { arePeers } from '../../views/reach.ts';
import type { Call, Reply } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { spend } from './allowance.ts';
import { basisOf, type Findings, findingsOf, type HeartbeatFacts, holdIn, isNewReport, lasts } from './findings.ts';
import { noteHeartbeat } from './note.ts';
import { ensureNewest, ensureNewestBoot } from './order.ts';
import { writeSteps } from './prove.ts';
import { checkReport, leftOut, writeKey, writeRecovery, writeReport } from './take-in.ts';
import { noteDrift, writeDrift } from './watch-drift.ts';

type Beat = Call<'agents.heartbeat'>;
type Answer = Reply<'agents.heartbeat'>;

/** Of heartbeats that do not wait, so that those of many nodes drift apart. */
const JITTER = 0.1;
/** The part of the interval over which those come back that were sent away: as after a failure, by their own choice. */
const RETURN_WITHIN = 1 / 3;

/** What there is to know of the node that sends it. */
interface Known {
  readonly node: Stored<'node'>;
  readonly status: NodeStatus;
  readonly view: NodeView;
}

/**
 * One heartbeat, from what the node reports to what it is sent. Nearly all of them report nothing new and are answered,
 * or left waiting, without a promise and without a write.
 */
export function heartbeat(runtime: Runtime, call: Beat): Answer | Promise<Answer> {
  const { mesh } = runtime;
  const { body } = call;
  const id = ensureOneNode(call);
  const known = knownOf(runtime, id);
  const { node, status, view } = known;
  const now = runtime.statuses.now();
  checkReport(body);
  ensureNewest(body, status, mesh.model.get('report', id)?.body);
  const { past_ways } = runtime.statuses;
  noteHeartbeat(status, body, { address: call.address, now_ms: call.now_ms, now, past_ways }, (other) =>
    arePeers(runtime.views.reach, id, other),
  );
  runtime.statuses.received(id, status, call.now_ms);
  runtime.views.holds(view, body.revision);
  runtime.onHeartbeat(id, body);
  if (body.probe_results !== undefined) runtime.probes.receive(id, body.probe_results);
  if (body.report !== undefined) {
    const left_out = leftOut(mesh.model, body.report);
    if (left_out.length > 0) runtime.warnings.endpointsLeftOut(id, left_out);
  }
  const facts = { view: mesh.model, runtime, node, status, sent: view, body, now_ms: call.now_ms, now };
  const findings = findingsOf(facts);
  if (isNewReport(findings)) spend(status, now);
  noteDrift({ status, view, now }, findings.drift);
  const keeping = runtime.keep(id, body);
  // Another coordinator has sent it more than this one knows: a commit, even an empty one, brings us up to date first.
  const writing = body.revision > mesh.model.revision || lasts(findings) ? write(call, facts, findings) : undefined;
  if (keeping === undefined && writing === undefined) return answerOrWait(runtime, call, known);
  return Promise.all([keeping, writing]).then(() => answerOrWait(runtime, call, knownOf(runtime, id)));
}

async function write(call: Beat, facts: HeartbeatFacts, findings: Findings): Promise<void> {
  const { status } = facts;
  const basis = basisOf(facts.view, facts.node.id);
  const { repairs } = findings;
  if (repairs !== undefined) takeRepairs(status);
  try {
    await call.transact((tx) => {
      // Where another change came first, the heartbeat is looked at anew, as the mesh is by then.
      const node = tx.get('node', facts.node.id);
      if (node === undefined) return;
      const hold = holdIn(tx, node.id, basis, findings);
      takeIn(tx, call, node, hold ? findings : { ...findingsOf({ ...facts, view: tx, node }), repairs });
    });
  } catch (error) {
    if (repairs !== undefined) putBackRepairs(status, repairs);
    throw error;
  }
}

/** The session, the path and the body must mean the same node. */
function ensureOneNode({ actor, params, body }: Beat): NodeId {
  if (params.id !== actor.id) {
    throw new MeshError('node_mismatch', 'The session is that of another node than the path names.');
  }
  if (body.node !== actor.id) throw invalid('/node', `must be ${actor.id}, as in the path`);
  return actor.id;
}

function knownOf(runtime: Runtime, id: NodeId): Known {
  const node = runtime.mesh.model.get('node', id);
  if (node === undefined) throw new MeshError('not_found', `There is no node "${id}".`);
  return { node, status: runtime.statuses.of(id), view: runtime.views.of(id) };
}

/** Writes down what lasts. */
function takeIn(tx: Transaction, { actor, body }: Beat, found: Stored<'node'>, findings: Findings): void {
  ensureNewestBoot(body.boot_id, tx.get('report', actor.id)?.body);
  const { report, wireguard_key, certificate_request, gateway_request, trusts, drift, repairs } = findings;
  writeRecovery(tx, found);
  if (report !== undefined) writeReport(tx, found, report);
  const node = wireguard_key === undefined ? found : writeKey(tx, found, wireguard_key);
  if (certificate_request !== undefined) keepRequest(tx, node, certificate_request);
  if (gateway_request !== undefined) keepGatewayRequest(tx, node, gateway_request);
  if (trusts !== undefined) keepTrusted(tx, node, trusts);
  const steps = writeSteps(tx, findings.steps, body);
  if (findings.drift_changed) writeDrift(tx, node, drift.drifting);
  if (repairs !== undefined) writeRepairs(tx, node, repairs);
  if (findings.rollbacks_changed) writeRollbacks(tx, node, findings.rollbacks);
  if (wireguard_key === undefined && steps.length === 0) return;
  const states = steps.map((step) => `${step.id} is ${step.body.state}`);
  const detail = [...(wireguard_key === undefined ? [] : ['uses a new WireGuard key']), ...states].join('; ');
  tx.record({ target: { kind: 'node', id: node.id }, scope: boundaryOfNode(node.body), detail });
}

/** Answers at once when there is news, or when the agent does not wait. */
function answerOrWait(runtime: Runtime, call: Beat, known: Known): Answer | Promise<Answer> {
  const { mesh } = runtime;
  const { status, view } = known;
  const asked_s = call.query.wait ?? 0;
  const wait_s = asked_s === 0 ? 0 : Math.min(asked_s, settingsOf(mesh.model).nodes.heartbeat_interval_s);
  const held = call.body.revision;
  const { id, epoch } = call.actor;
  if (runtime.views.isFurtherBack(view, held)) spend(status, runtime.statuses.now());
  // Only the first time is it worth an answer at once: an agent that does not say all of it would never rest.
  const isFirstAsk = !status.reported_all && !status.requested_all;
  status.requested_all = !status.reported_all;
  const isNews = runtime.views.hasChangedSince(view, held) || isFirstAsk || runtime.probes.pending(id);
  // A heartbeat that ended its own session, by a new key, was taken in: there is nothing it could wait for.
  if (isNews || wait_s === 0 || !isStillCurrent(mesh, id, epoch)) {
    return { json: answerText(runtime, known, held, wait_s > 0) };
  }
  return new Promise((resolve, reject) => {
    const answer = (isOver: boolean): boolean => {
      try {
        const isNews = runtime.probes.pending(id) || runtime.views.hasChangedSince(runtime.views.of(id), held);
        if (!isOver && isStillCurrent(mesh, id, epoch) && !isNews) return false;
        currentActor(mesh.model, id, epoch);
        resolve({ json: answerText(runtime, knownOf(runtime, id), held, true) });
      } catch (error) {
        reject(error);
      }
      return true;
    };
    runtime.waiting.wait(id, wait_s * 1000, answer);
    call.whenGone(() => {
      if (runtime.waiting.drop(id, answer)) status.lost_at = runtime.statuses.now();
    });
  });
}

function isStillCurrent(mesh: Mesh, id: NodeId, epoch: number): boolean {
  return mesh.model.get('node', id)?.body.session_epoch === epoch;
}

function answerText(runtime: Runtime, { node, status }: Known, held: number, waits: boolean): string {
  const { mesh } = runtime;
  if (mesh.model.hasFailed) mesh.ensureUpToDate(); // throws: the answer may be wrong
  const changes = runtime.views.changesSince(node, held);
  runtime.views.of(node.id as NodeId).distrusted = false; // if it was, this answer has everything
  const next_s = nextS(runtime, waits);
  const report = status.reported_all ? '' : ',"report":"everything"';
  const probes = runtime.probes.take(node.id as NodeId);
  const asked = probes.length === 0 ? '' : `,"probes":${JSON.stringify(probes)}`;
  return `{"revision":${mesh.model.revision},"next_s":${next_s}${report}${asked}${changes === '' ? '' : `,${changes}`}}`;
}

/** An agent that waited comes back at once, unless a coordinator that closes answers all of them at the same moment. */
function nextS(runtime: Runtime, waits: boolean): number {
  const { heartbeat_interval_s: interval_s } = settingsOf(runtime.mesh.model).nodes;
  if (runtime.waiting.closed) return rounded(interval_s * RETURN_WITHIN * Math.random());
  return waits ? 0 : rounded(interval_s * (1 + JITTER * (Math.random() * 2 - 1)));
}

function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

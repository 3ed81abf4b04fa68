import type { AuthorityId, HeartbeatRequest, NodeId } from '@meshwork/contract';
import type { ReportDocument } from '../../kinds/nodes.ts';
import { newGatewayRequest } from '../../mesh/gateway-certificates.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { newlyTrusted, newRequest, ROTATION_ID } from '../../mesh/node-certificates.ts';
import type { NodeStatus, PendingRepairs } from '../../node-status/node-status.ts';
import { dueRepairs } from '../../node-status/repairs.ts';
import { type Rollbacks, rollbacksDiffer, rollbacksOf } from '../../node-status/rollbacks.ts';
import type { NodeView } from '../../views/node-view.ts';
import type { Runtime } from '../runtime.ts';
import { type ProvenStep, stepsOf } from './prove.ts';
import { newKey, newReport } from './take-in.ts';
import { type Drift, driftDiffers, driftOf } from './watch-drift.ts';

/** What a heartbeat is judged by, once what it says was noted in the status of its node. */
export interface HeartbeatFacts {
  /** The model, or the view of the transaction that writes what follows. */
  readonly view: View;
  readonly runtime: Pick<Runtime, 'statuses' | 'views' | 'open' | 'served'>;
  readonly node: Stored<'node'>;
  readonly status: NodeStatus;
  readonly sent: NodeView;
  readonly body: HeartbeatRequest;
  /** By the wall clock, and in listening time. */
  readonly now_ms: number;
  readonly now: number;
}

/** What follows from a heartbeat. */
export interface Findings {
  /** What its report becomes. Undefined: it stays as it is. */
  readonly report: ReportDocument | undefined;
  readonly wireguard_key: string | undefined;
  /** A certificate request that is not known yet. */
  readonly certificate_request: string | undefined;
  /** The certificate request of a gateway, if it is not known yet. */
  readonly gateway_request: string | undefined;
  /** A published authority that it has proven to trust. */
  readonly trusts: AuthorityId | undefined;
  /** Whether it was overdue until now. */
  readonly recovered: boolean;
  readonly steps: readonly ProvenStep[];
  readonly drift: Drift;
  /** Whether what is written about its drift is no longer so. */
  readonly drift_changed: boolean;
  readonly repairs: PendingRepairs | undefined;
  readonly rollbacks: Rollbacks;
  /** Whether what is written about what it rolled back is no longer so. */
  readonly rollbacks_changed: boolean;
}

/** Judges a heartbeat. Changes nothing: called twice, it returns the same. */
export function findingsOf(facts: HeartbeatFacts): Findings {
  const { view, runtime, node, status, sent, body, now_ms, now } = facts;
  const id = node.id as NodeId;
  const wireguard_key = newKey(node, body);
  const rollbacks = rollbacksOf(view, id, status);
  const drift = driftOf(view, runtime.views, { status, view: sent, now });
  // A new key is what proves that the node was re-keyed, so operations are held against the node as it will be.
  const rekeyed = wireguard_key === undefined ? node : { ...node, body: { ...node.body, wireguard_key } };
  return {
    report: newReport(view, node, body),
    wireguard_key,
    certificate_request: newRequest(view, id, body.report?.certificate_request),
    gateway_request: newGatewayRequest(view, id, body.report?.gateway_request),
    trusts: 'trust' in drift.apart_since ? undefined : newlyTrusted(view, id),
    recovered: view.get('liveness', id) !== undefined,
    steps: stepsOf({ view, runtime, node: rekeyed, body }),
    drift,
    drift_changed: driftDiffers(view, id, drift.drifting),
    repairs: dueRepairs(status, view, id, now_ms),
    rollbacks,
    rollbacks_changed: rollbacksDiffer(view, id, rollbacks),
  };
}

/** Whether it reports something new about the node itself: a change that is written, sent to its peers, and costs. */
export function isNewReport({ report, wireguard_key, certificate_request, gateway_request }: Findings): boolean {
  const parts = [report, wireguard_key, certificate_request, gateway_request];
  return parts.some((part) => part !== undefined);
}

/** Whether anything of it lasts, and has to be written before the heartbeat is answered. Nearly always nothing does. */
export function lasts(findings: Findings): boolean {
  const { recovered, steps, drift_changed, repairs, rollbacks_changed, trusts } = findings;
  if (isNewReport(findings) || recovered || steps.length > 0 || trusts !== undefined) return true;
  return drift_changed || rollbacks_changed || repairs !== undefined;
}

/** The documents of the node that findings rest on. */
interface Basis {
  readonly node: Stored<'node'> | undefined;
  readonly report: Stored<'report'> | undefined;
  readonly liveness: Stored<'liveness'> | undefined;
  readonly drift: Stored<'drift'> | undefined;
  readonly repair: Stored<'repair'> | undefined;
  readonly rollback: Stored<'rollback'> | undefined;
  readonly certificate: Stored<'node_certificate'> | undefined;
  readonly gateway_certificate: Stored<'gateway_certificate'> | undefined;
  readonly rotation: Stored<'rotation'> | undefined;
}

export function basisOf(view: View, id: string): Basis {
  return {
    node: view.get('node', id),
    report: view.get('report', id),
    liveness: view.get('liveness', id),
    drift: view.get('drift', id),
    repair: view.get('repair', id),
    rollback: view.get('rollback', id),
    certificate: view.get('node_certificate', id),
    gateway_certificate: view.get('gateway_certificate', id),
    rotation: view.get('rotation', ROTATION_ID),
  };
}

/** Whether findings hold in a view as well, because nothing they rest on is another: a heartbeat is looked at once. */
export function holdIn(view: View, id: string, basis: Basis, { steps }: Findings): boolean {
  const now = basisOf(view, id);
  const isSame = (Object.keys(now) as (keyof Basis)[]).every((kind) => now[kind] === basis[kind]);
  return isSame && steps.every(({ operation }) => view.get('operation', operation.id) === operation);
}

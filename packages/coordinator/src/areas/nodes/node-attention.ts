import { type Attention, MAX_SKEW_S, type NodeId, type PresentState, utc } from '@meshwork/contract';
import type { DriftDocument } from '../../kinds/nodes.ts';
import type { Stored } from '../../mesh/model.ts';
import { stateSince } from '../../mesh/node-state.ts';
import type { NodeStatuses } from '../../node-status/node-statuses.ts';
import { rollbackWords } from '../../node-status/rollbacks.ts';
import type { Facts } from '../summary.ts';

export function* nodeAttention(facts: Facts, statuses: NodeStatuses): Generator<Attention> {
  yield* unreachableNodes(facts, statuses);
  yield* staleNodes(facts, statuses);
  yield* rolledBackNodes(facts);
  yield* driftingNodes(facts);
  yield* skewedNodes(facts, statuses);
  yield* pendingNodes(facts);
  yield* quarantinedNodes(facts);
}

const subjectOf = ({ id, body }: Stored<'node'>) => ({ kind: 'node', id, name: body.name }) as const;
const CHECK_HOST = 'Check that the host and its agent are running and can reach the coordinator.';

function lastSeen(statuses: NodeStatuses, { id }: Stored<'node'>): string {
  const { heartbeat_ms } = statuses.of(id as NodeId);
  return heartbeat_ms === undefined ? 'It has not sent a heartbeat yet.' : `Last seen ${utc(heartbeat_ms)}.`;
}

function* inState(facts: Facts, wanted: PresentState): Generator<{ node: Stored<'node'>; since: string }> {
  for (const { node, state } of facts.nodes) {
    if (state === wanted) yield { node, since: stateSince(facts.model, node) };
  }
}

function* unreachableNodes(facts: Facts, statuses: NodeStatuses): Generator<Attention> {
  for (const { node, since } of inState(facts, 'unreachable')) {
    yield {
      kind: 'node_unreachable',
      severity: 'critical',
      subject: subjectOf(node),
      title: `Node ${node.body.name} is offline`,
      detail: lastSeen(statuses, node),
      since,
      fix: `${CHECK_HOST} If the node is gone for good, remove it.`,
    };
  }
}

function* staleNodes(facts: Facts, statuses: NodeStatuses): Generator<Attention> {
  for (const { node, since } of inState(facts, 'stale')) {
    yield {
      kind: 'node_stale',
      severity: 'warning',
      subject: subjectOf(node),
      title: `Heartbeat of node ${node.body.name} is overdue`,
      detail: `${lastSeen(statuses, node)} Its current state is unknown.`,
      since,
      fix: CHECK_HOST,
    };
  }
}

function* rolledBackNodes({ model, nodes }: Facts): Generator<Attention> {
  for (const { node } of nodes) {
    const rollbacks = model.get('rollback', node.id)?.body.sections;
    if (rollbacks === undefined) continue;
    const [first] = Object.values(rollbacks);
    const words = rollbackWords(rollbacks);
    yield {
      kind: 'node_rolled_back',
      severity: 'warning',
      subject: subjectOf(node),
      title: `Rolled back on ${node.body.name}`,
      detail: `${words.charAt(0).toUpperCase()}${words.slice(1)}.`,
      since: first?.at ?? null,
      fix: 'Change or delete what cut the node off. The agent does not apply it again until it changes.',
    };
  }
}

/** Skips nodes that are overdue: what they have in effect now is unknown. */
function* driftingNodes({ model, nodes }: Facts): Generator<Attention> {
  for (const { node, state } of nodes) {
    const drift = model.get('drift', node.id)?.body;
    if (drift === undefined || state === 'unreachable' || state === 'stale') continue;
    const rollbacks: Readonly<Record<string, unknown>> = model.get('rollback', node.id)?.body.sections ?? {};
    const others = Object.entries(drift.sections).filter(([section]) => rollbacks[section] === undefined);
    if (others.length === 0) continue; // the rollback above has all of it
    yield {
      kind: 'node_drifting',
      severity: 'warning',
      subject: subjectOf(node),
      title: `Node ${node.body.name} has drifted`,
      detail: `${sectionsByReason(Object.fromEntries(others)).join('; ')}.`,
      since: drift.since,
      fix: 'Compare the desired and the actual state in its posture, and check the log of its agent.',
    };
  }
}

/** Most drifts have one reason in all sections: it is written once. */
function sectionsByReason(sections: DriftDocument['sections']): string[] {
  const byReason = Map.groupBy(Object.entries(sections), ([, { reason }]) => reason);
  return [...byReason].map(([reason, of]) => `${of.map(([section]) => section).join(', ')}: ${reason}`);
}

/** Beyond this it cannot open a new session. */
function* skewedNodes({ nodes }: Facts, statuses: NodeStatuses): Generator<Attention> {
  for (const { node, state } of nodes) {
    if (state === 'unreachable' || state === 'stale') continue;
    const { clock_skew_s = 0, heartbeat_ms } = statuses.of(node.id as NodeId);
    if (Math.abs(clock_skew_s) <= MAX_SKEW_S) continue;
    const how = clock_skew_s > 0 ? 'ahead of' : 'behind';
    yield {
      kind: 'node_clock',
      severity: 'warning',
      subject: subjectOf(node),
      title: `Clock of node ${node.body.name} is wrong`,
      detail: `It is ${Math.round(Math.abs(clock_skew_s))} s ${how} that of the coordinator. Beyond ${MAX_SKEW_S} s the node cannot authenticate.`,
      since: heartbeat_ms === undefined ? null : utc(heartbeat_ms),
      fix: 'Set the clock of the host, and keep it in sync with NTP.',
    };
  }
}

function* pendingNodes(facts: Facts): Generator<Attention> {
  for (const { node, since } of inState(facts, 'pending')) {
    yield {
      kind: 'node_pending',
      severity: 'warning',
      subject: subjectOf(node),
      title: `Node ${node.body.name} is waiting for approval`,
      detail: `Enrolled by ${node.body.created_by.name}. It has no peers until it is approved.`,
      since,
      fix: 'Approve it if its keys are those of the host, or remove it.',
    };
  }
}

function* quarantinedNodes(facts: Facts): Generator<Attention> {
  for (const { node, since } of inState(facts, 'quarantined')) {
    const reason = node.body.quarantined?.reason ?? null;
    yield {
      kind: 'node_quarantined',
      severity: 'notice',
      subject: subjectOf(node),
      title: `Node ${node.body.name} is in quarantine`,
      detail: reason === null ? 'No reason was given.' : `Reason: ${reason}`,
      since,
      fix: 'Release it once it is trusted again, or remove it.',
    };
  }
}

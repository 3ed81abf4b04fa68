import { type Attention, MAX_SKEW_S, type NodeId, type PresentState, utc } from '@meshwork/contract';
import type { DriftDocument } from '../../kinds/nodes.ts';
import type { Stored } from '../../mesh/model.ts';
import { stateSince } from '../../mesh/node-state.ts';
import type { NodeStatuses } from '../../node-status/node-statuses.ts';
import { rollbackWords } from '../../node-status/rollbacks.ts';
import type { Facts } from '../summary.ts';

export function* nodeAttention(facts: Facts, statuses: NodeStatuses): Generator<Attention> {
  yield* unreachableNodes(facts);
  yield* staleNodes(facts);
  yield* rolledBackNodes(facts);
  yield* driftingNodes(facts);
  yield* skewedNodes(facts, statuses);
  yield* pendingNodes(facts);
  yield* quarantinedNodes(facts);
}

const subjectOf = ({ id, body }: Stored<'node'>) => ({ kind: 'node', id, name: body.name }) as const;
const REMOVE = 'Remove the node when it is gone for good.';

function* inState(facts: Facts, wanted: PresentState): Generator<{ node: Stored<'node'>; since: string }> {
  for (const { node, state } of facts.nodes) {
    if (state === wanted) yield { node, since: stateSince(facts.model, node) };
  }
}

function* unreachableNodes(facts: Facts): Generator<Attention> {
  for (const { node, since } of inState(facts, 'unreachable')) {
    yield {
      kind: 'node_unreachable',
      severity: 'critical',
      subject: subjectOf(node),
      title: `${node.body.name} cannot be reached`,
      detail: `Its heartbeat has been overdue for long, since ${since}.`,
      since,
      fix: `See whether the machine and its agent run and reach the coordinator. ${REMOVE}`,
    };
  }
}

function* staleNodes(facts: Facts): Generator<Attention> {
  for (const { node, since } of inState(facts, 'stale')) {
    yield {
      kind: 'node_stale',
      severity: 'warning',
      subject: subjectOf(node),
      title: `${node.body.name} is silent`,
      detail: `Its heartbeat has been overdue since ${since}, and nothing can be said about it.`,
      since,
      fix: 'See whether the machine and its agent run and reach the coordinator.',
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
      fix: 'Change or delete what cut the node off. It is not tried again until it changes.',
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
    if (others.length === 0) continue; // all of it is said above
    yield {
      kind: 'node_drifting',
      severity: 'warning',
      subject: subjectOf(node),
      title: `${node.body.name} is not what it should be`,
      detail: `${sectionsByReason(Object.fromEntries(others)).join('; ')}.`,
      since: drift.since,
      fix: 'Compare what it should be with what it is in its posture, and look at the log of its agent.',
    };
  }
}

/** Most drifts have one reason in all sections: it is said once. */
function sectionsByReason(sections: DriftDocument['sections']): string[] {
  const byReason = Map.groupBy(Object.entries(sections), ([, { reason }]) => reason);
  return [...byReason].map(([reason, of]) => `${of.map(([section]) => section).join(', ')}: ${reason}`);
}

/** Beyond this it cannot prove who it is when its session ends. */
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
      title: `The clock of ${node.body.name} is wrong`,
      detail: `It is ${Math.round(Math.abs(clock_skew_s))} s ${how} ours. Beyond ${MAX_SKEW_S} s the node cannot prove who it is.`,
      since: heartbeat_ms === undefined ? null : utc(heartbeat_ms),
      fix: 'Set the clock of the node, and have it kept by a time server.',
    };
  }
}

function* pendingNodes(facts: Facts): Generator<Attention> {
  for (const { node, since } of inState(facts, 'pending')) {
    yield {
      kind: 'node_pending',
      severity: 'warning',
      subject: subjectOf(node),
      title: `${node.body.name} awaits approval`,
      detail: `It was enrolled by ${node.body.created_by.name} and has no peers until somebody lets it in.`,
      since,
      fix: 'Approve it when its keys are those of the machine, or remove it.',
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
      title: `${node.body.name} is cut off`,
      detail: reason === null ? 'Somebody put it into quarantine, and did not say why.' : `In quarantine: ${reason}`,
      since,
      fix: 'Release it once it can be trusted again, or remove it.',
    };
  }
}

/** Operations in words, and where on their way they are. */
import type { NodeOperation, NodeOperationKind, NodeOperationState } from '@meshwork/contract';

export const KIND_WORDS: Readonly<Record<NodeOperationKind, string>> = {
  enroll: 'Enrolment',
  approve: 'Approval',
  rekey: 'Re-key',
  retag: 'Change of tags',
  move_relay: 'Move to another relay',
  approve_routes: 'Approval of routes',
  drain: 'Drain',
  undrain: 'End of the drain',
  quarantine: 'Quarantine',
  release: 'Release',
  remove: 'Removal',
  diagnose: 'Diagnosis',
};

/** How many of the three steps are behind it: requested, delivered, verified. */
export function stepsBehind({ state, delivered_at }: Pick<NodeOperation, 'state' | 'delivered_at'>): 1 | 2 | 3 {
  if (state === 'verified') return 3;
  return delivered_at === null ? 1 : 2;
}

const ENDS_BADLY: ReadonlySet<NodeOperationState> = new Set(['failed', 'timed_out', 'cancelled']);
export function endedBadly(state: NodeOperationState): boolean {
  return ENDS_BADLY.has(state);
}

const PUTS_BACK: Partial<Record<NodeOperationKind, string>> = {
  retag: 'The tags are what they were before.',
  move_relay: 'The relay is what it was before.',
  approve_routes: 'The approved routes are what they were before.',
  drain: 'The node may have roles again.',
  diagnose: 'There is nothing to put back.',
};

/** What cancelling puts back. Null: it cannot be cancelled, or not any more. */
export function cancelConsequence({ kind, state }: Pick<NodeOperation, 'kind' | 'state'>): string | null {
  if (state !== 'requested' && state !== 'delivered') return null;
  // Once the node has heard of it, the new key may be in use.
  if (kind === 'rekey') return state === 'requested' ? 'The node keeps its key.' : null;
  return PUTS_BACK[kind] ?? null;
}

/** What was asked for, in a line. Null: the kind says it all. */
export function detailWords({ kind, detail }: Pick<NodeOperation, 'kind' | 'detail'>): string | null {
  switch (kind) {
    case 'retag':
      return Array.isArray(detail.tags) ? detail.tags.join(' ') || 'no tags' : null;
    case 'move_relay':
      return typeof detail.relay === 'string' ? `to ${detail.relay}` : 'the coordinator chooses';
    case 'approve_routes':
      return Array.isArray(detail.approved) ? detail.approved.join(' ') || 'none' : null;
    case 'quarantine':
      return typeof detail.reason === 'string' ? detail.reason : null;
    default:
      return null;
  }
}

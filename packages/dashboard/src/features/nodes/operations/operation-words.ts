/** Operations in words, and where on their way they are. */
import type { NodeOperation, NodeOperationKind, NodeOperationState } from '@meshwork/contract';

export const KIND_WORDS: Readonly<Record<NodeOperationKind, string>> = {
  enroll: 'Enrolment',
  approve: 'Approval',
  rekey: 'Re-key',
  retag: 'Tag change',
  move_relay: 'Relay move',
  approve_routes: 'Route approval',
  drain: 'Drain',
  undrain: 'Undrain',
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
  retag: 'The previous tags are restored.',
  move_relay: 'The previous relay is restored.',
  approve_routes: 'The previously approved routes are restored.',
  drain: 'The node stops draining.',
  diagnose: 'Nothing needs to be restored.',
};

/** What cancelling puts back. Null: it cannot be cancelled, or not any more. */
export function cancelConsequence({ kind, state }: Pick<NodeOperation, 'kind' | 'state'>): string | null {
  if (state !== 'requested' && state !== 'delivered') return null;
  // Once it is delivered, the new key may be in use.
  if (kind === 'rekey') return state === 'requested' ? 'The node keeps its key.' : null;
  return PUTS_BACK[kind] ?? null;
}

/** What was requested, in a line. Null: the kind says it all. */
export function detailWords({ kind, detail }: Pick<NodeOperation, 'kind' | 'detail'>): string | null {
  switch (kind) {
    case 'retag':
      return Array.isArray(detail.tags) ? detail.tags.join(' ') || 'no tags' : null;
    case 'move_relay':
      return typeof detail.relay === 'string' ? `to ${detail.relay}` : 'automatic';
    case 'approve_routes':
      return Array.isArray(detail.approved) ? detail.approved.join(' ') || 'none' : null;
    case 'quarantine':
      return typeof detail.reason === 'string' ? detail.reason : null;
    default:
      return null;
  }
}

import type { Vocabulary } from '../../vocabulary-type.ts';

/** What can be requested of a node. Each succeeds only when a later heartbeat proves it. */
export const NODE_OPERATION_KINDS = [
  'enroll',
  'approve',
  'rekey',
  'retag',
  'move_relay',
  'approve_routes',
  'drain',
  'undrain',
  'quarantine',
  'release',
  'remove',
  'diagnose',
] as const;
export type NodeOperationKind = (typeof NODE_OPERATION_KINDS)[number];

/** `requested`: not received by the node yet. `delivered`: received. The other four are final. */
export const NODE_OPERATION_STATES = [
  'requested',
  'delivered',
  'verified',
  'failed',
  'timed_out',
  'cancelled',
] as const;
export type NodeOperationState = (typeof NODE_OPERATION_STATES)[number];
const OPEN: ReadonlySet<NodeOperationState> = new Set(['requested', 'delivered']);
export function isOpen(state: NodeOperationState): boolean {
  return OPEN.has(state);
}

export const nodeOperationVocabulary = {
  permissions: {
    'operations:read': 'Follow operations on nodes.',
    'operations:cancel': 'Cancel an operation that is under way.',
  },
  ids: { operation: 'operation' },
} as const satisfies Vocabulary;

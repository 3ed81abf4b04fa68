import type { Vocabulary } from '../../vocabulary-type.ts';

/** What can be asked of a node. Each is proven by a later heartbeat, or is no success. */
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

/** `requested`: not heard by the node yet. `delivered`: the node has it. The other four are the end. */
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

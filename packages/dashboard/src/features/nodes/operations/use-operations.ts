/** Operations by state, of which "under way" is two: requested, and delivered. */
import type { NodeOperation, NodeOperationKind, NodeOperationState } from '@meshwork/contract';
import { type List, useList } from '../../../api/queries.ts';

export const OPEN = 'open';

export function useOperations(
  state: NodeOperationState | typeof OPEN | undefined,
  kind: NodeOperationKind | undefined,
): List<NodeOperation> {
  const isOpen = state === OPEN;
  const first = useList('operations.list', { query: { kind, state: isOpen ? 'requested' : state } }, { keep: true });
  const delivered = useList('operations.list', { query: { kind, state: 'delivered' } }, { enabled: isOpen });
  if (!isOpen) return first;
  return {
    items: [...first.items, ...delivered.items].toSorted((a, b) => (a.id < b.id ? -1 : 1)), // ids go by time
    hasMore: first.hasMore || delivered.hasMore,
    more: () => {
      first.more();
      delivered.more();
    },
    isLoading: first.isLoading || delivered.isLoading,
    isLoadingMore: first.isLoadingMore || delivered.isLoadingMore,
    error: first.error ?? delivered.error,
    again: () => {
      first.again();
      delivered.again();
    },
  };
}

import type { ItemOf, PagedOperationId, RequestOf } from '@meshwork/client';
import { useEffect } from 'react';
import { type List, useList } from './queries.ts';

/** All of a list, page by page, for pages that filter or join it themselves. */
export function useEveryItem<Id extends PagedOperationId>(
  id: Id,
  request: RequestOf<Id> | undefined,
  every_ms: number,
): List<ItemOf<Id>> {
  const list = useList(id, request, { every_ms });
  const { hasMore, isLoadingMore, error, more } = list;
  useEffect(() => {
    if (hasMore && !isLoadingMore && error === null) more();
  });
  return list;
}

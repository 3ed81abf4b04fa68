import { DEFAULT_LIMIT, decodeCursor, encodeCursor, type OperationId } from '@meshwork/contract';

interface PageRequest {
  readonly limit?: number;
  readonly cursor?: string;
}

/** One page of a walk in order of id: stable however many come and go between two pages. */
export function pageById<S extends { readonly id: string }, R>(
  list: OperationId,
  request: PageRequest,
  parts: { walk: (after: string | undefined) => Iterable<S>; keep: (stored: S) => boolean; show: (stored: S) => R },
): { items: R[]; next_cursor: string | null } {
  const limit = request.limit ?? DEFAULT_LIMIT;
  const after = request.cursor === undefined ? undefined : decodeCursor(list, request.cursor, 'string');
  const items: R[] = [];
  let last: string | undefined;
  for (const stored of parts.walk(after)) {
    if (!parts.keep(stored)) continue;
    if (items.length === limit) return { items, next_cursor: encodeCursor(list, last ?? stored.id) };
    items.push(parts.show(stored));
    last = stored.id;
  }
  return { items, next_cursor: null };
}

import { DEFAULT_LIMIT, decodeCursor, encodeCursor } from '@meshwork/contract';

interface PageRequest {
  readonly limit?: number;
  readonly cursor?: string;
}

interface Listing<S, R> {
  /** In order of id, from just after the given one. Undefined: from the beginning. */
  walk(after: string | undefined): Iterable<S>;
  keep(stored: S): boolean;
  show(stored: S): R;
}

/** One page of a list. The cursor is the last id shown, so pages stay stable while items come and go. */
export function pageById<S extends { readonly id: string }, R>(
  list: string,
  { limit = DEFAULT_LIMIT, cursor }: PageRequest,
  { walk, keep, show }: Listing<S, R>,
): { items: R[]; next_cursor: string | null } {
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor, 'string');
  const items: R[] = [];
  let last: string | undefined;
  for (const stored of walk(after)) {
    if (!keep(stored)) continue;
    if (items.length === limit) return { items, next_cursor: encodeCursor(list, last ?? stored.id) };
    items.push(show(stored));
    last = stored.id;
  }
  return { items, next_cursor: null };
}

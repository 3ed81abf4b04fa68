import { DEFAULT_LIMIT, decodeCursor, encodeCursor } from '@meshwork/contract';

/** Ids sort by when they were made, which is what makes pages stable while others come and go. */
export function pageById<S extends { readonly id: string }, R>(
  list: string,
  { limit = DEFAULT_LIMIT, cursor }: { readonly limit?: number; readonly cursor?: string },
  parts: { readonly found: S[]; readonly order: 'oldest_first' | 'newest_first'; readonly show: (stored: S) => R },
): { items: R[]; next_cursor: string | null } {
  const { found, order, show } = parts;
  const direction = order === 'oldest_first' ? 1 : -1;
  const compared = (one: string, other: string) => (one < other ? -direction : one > other ? direction : 0);
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor, 'string');
  const rest = found
    .filter(({ id }) => after === undefined || compared(id, after) > 0)
    .sort((a, b) => compared(a.id, b.id));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const next_cursor = last === undefined || rest.length === page.length ? null : encodeCursor(list, last.id);
  return { items: page.map(show), next_cursor };
}

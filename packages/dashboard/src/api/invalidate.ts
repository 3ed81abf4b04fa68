import type { QueryClient } from '@tanstack/react-query';

/** Refetches everything of these areas that is on the screen. The area is the part of an operation id before the dot. */
export function invalidateAreas(queries: QueryClient, areas: readonly string[]): Promise<void> {
  const wanted = new Set(areas);
  return queries.invalidateQueries({
    predicate: ({ queryKey: [id] }) => typeof id === 'string' && wanted.has(id.slice(0, id.indexOf('.'))),
  });
}

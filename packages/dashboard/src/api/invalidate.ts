import type { QueryClient } from '@tanstack/react-query';

/** Has everything of these areas that is on the screen read anew. The area is what stands in front of the dot of an operation. */
export function invalidateAreas(queries: QueryClient, areas: readonly string[]): Promise<void> {
  const wanted = new Set(areas);
  return queries.invalidateQueries({
    predicate: ({ queryKey: [id] }) => typeof id === 'string' && wanted.has(id.slice(0, id.indexOf('.'))),
  });
}

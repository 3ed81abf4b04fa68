/**
 * Takes so many out of a set, the oldest first, and has them worked on. What could not be written goes back to the end: it
 * must not keep the rest waiting.
 */
export async function workOnSome(
  ids: Set<string>,
  limit: number,
  work: (taken: readonly string[]) => Promise<void>,
): Promise<void> {
  const taken = ids.values().take(limit).toArray();
  if (taken.length === 0) return;
  for (const id of taken) ids.delete(id);
  try {
    await work(taken);
  } catch (error) {
    for (const id of taken) ids.add(id);
    throw error;
  }
}

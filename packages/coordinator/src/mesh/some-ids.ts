/** Takes so many out of a set, the oldest first. */
export function takeSome(ids: Set<string>, limit: number): readonly string[] {
  const taken = ids.values().take(limit).toArray();
  for (const id of taken) ids.delete(id);
  return taken;
}

/** What could not be written comes last: it must not keep the rest waiting. */
export function putBack(ids: Set<string>, taken: readonly string[]): void {
  for (const id of taken) ids.add(id);
}

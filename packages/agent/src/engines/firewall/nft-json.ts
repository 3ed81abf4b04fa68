/** For what `nft -j` writes, where the kind of a value depends on the rule that it stands in. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

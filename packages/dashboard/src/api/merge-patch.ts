/** What is other than before, as a change takes it. */

/**
 * Only what `now` names. What it leaves out stays as it was. Members of what is named in `merged` count one by one, as the API
 * merges them; everything else is replaced whole.
 */
export function mergePatch<Change extends object>(
  now: Change,
  before: object,
  merged: ReadonlySet<string>,
): Partial<Change> {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(now).flatMap(([field, value]): [string, unknown][] => {
    const was = old.get(field);
    if (isSame(value, was)) return [];
    if (!merged.has(field) || !isRecord(value) || !isRecord(was)) return [[field, value]];
    const inner = mergePatch(value, was, merged);
    return Object.keys(inner).length === 0 ? [] : [[field, inner]];
  });
  return Object.fromEntries(changed) as Partial<Change>;
}

/** In whatever order their members are written. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return Object.is(one, other);
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSame(one[name], other[name]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of some moments. Undefined: there is none. */
export function earliest(moments: Iterable<number>): number | undefined {
  let first: number | undefined;
  for (const at of moments) if (first === undefined || at < first) first = at;
  return first;
}

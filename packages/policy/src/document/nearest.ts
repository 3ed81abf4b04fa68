/** Names longer than this are not compared: no name that is known is. */
const LONGEST = 64;

/** The known name that was most likely meant. Undefined: none is near. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  return nearestFew(name, known, 1)[0];
}

/** Known names that may have been meant, the nearest first, and among equally near ones the first. */
export function nearestFew(name: string, known: Iterable<string>, count: number): readonly string[] {
  if (name.length > LONGEST || count < 1) return [];
  // One slip in a short word, two in a longer one: `a` is not a misspelt `b`.
  let allowed = name.length < 3 ? 0 : name.length < 6 ? 1 : 2;
  const kept: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of known) {
    if (allowed < 0) break;
    if (candidate.length > LONGEST || Math.abs(candidate.length - name.length) > allowed) continue;
    const distance = slips(name, candidate, allowed);
    if (distance > allowed) continue;
    const place = kept.findLastIndex((other) => other.distance <= distance) + 1;
    kept.splice(place, 0, { candidate, distance });
    if (kept.length > count) kept.pop();
    // From now on only what is nearer than the last of them.
    if (kept.length === count) allowed = (kept.at(-1)?.distance ?? 0) - 1;
  }
  return kept.map(({ candidate }) => candidate);
}

/** The rows of the comparison, made once: a search goes through thousands of names. Each call leaves nothing to the next. */
const rows = [new Uint8Array(LONGEST + 1), new Uint8Array(LONGEST + 1), new Uint8Array(LONGEST + 1)] as const;

/** What two words begin and end with alike costs nothing, and is most of it with names that are numbered. */
function slips(a: string, b: string, allowed: number): number {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let end = 0;
  while (end < shorter - start && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  return slipsBetween(a.slice(start, a.length - end), b.slice(start, b.length - end), allowed);
}

/**
 * How many letters to insert, remove, replace or swap with their neighbour. Looks only as far aside as `allowed`, so that
 * a search through thousands of names stays cheap; anything above `allowed` means no more than "too many".
 */
function slipsBetween(a: string, b: string, allowed: number): number {
  let [beforeLast, last, current]: readonly [Uint8Array, Uint8Array, Uint8Array] = rows;
  for (let column = 0; column <= b.length; column++) last[column] = column;
  for (let row = 1; row <= a.length; row++) {
    const [first, end] = [Math.max(1, row - allowed), Math.min(b.length, row + allowed)];
    current.fill(allowed + 1, Math.max(0, first - 2), end + 2);
    current[0] = row;
    let least = row;
    for (let column = first; column <= end; column++) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let fewest = at(last, column - 1) + (isSame ? 0 : 1);
      const isSwap =
        row > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      if (isSwap) fewest = Math.min(fewest, at(beforeLast, column - 2) + 1);
      fewest = Math.min(fewest, at(last, column) + 1, at(current, column - 1) + 1);
      current[column] = fewest;
      if (fewest < least) least = fewest;
    }
    if (least > allowed) return least;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return at(last, b.length);
}

function at(row: Uint8Array, column: number): number {
  return row[column] ?? LONGEST;
}

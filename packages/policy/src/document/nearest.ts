/** Names longer than this are not compared: no name that is known is. */
const LONGEST = 64;

/** The known name that somebody most likely meant. Undefined: none is near. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  // One slip in a short word, two in a longer one: `a` is not a misspelt `b`.
  let allowed = name.length < 3 ? 0 : name.length < 6 ? 1 : 2;
  let best: string | undefined;
  for (const candidate of known) {
    if (candidate.length > LONGEST) continue;
    const distance = slips(name, candidate, allowed);
    if (distance > allowed || (distance === allowed && best !== undefined)) continue;
    [best, allowed] = [candidate, distance];
  }
  return best;
}

/**
 * How many letters to insert, remove, replace or swap with their neighbour. Looks only as far aside as `allowed`, so that
 * a search through thousands of names stays cheap; anything above `allowed` means no more than "too many".
 */
function slips(a: string, b: string, allowed: number): number {
  if (Math.abs(a.length - b.length) > allowed) return allowed + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = new Array<number>(b.length + 1).fill(allowed + 1);
    current[0] = row;
    let least = row;
    for (let column = Math.max(1, row - allowed); column <= Math.min(b.length, row + allowed); column++) {
      const replaced = at(last, column - 1) + Number(a[row - 1] !== b[column - 1]);
      const swapped =
        a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1] ? at(beforeLast, column - 2) + 1 : replaced;
      const fewest = Math.min(replaced, swapped, at(last, column) + 1, at(current, column - 1) + 1);
      current[column] = fewest;
      least = Math.min(least, fewest);
    }
    if (least > allowed) return least;
    [beforeLast, last] = [last, current];
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

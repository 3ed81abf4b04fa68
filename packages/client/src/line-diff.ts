/** The difference between two texts, line by line: what the CLI prints and the dashboard shows of it. */

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
  /** The line number in each text, from 1. Null: the line is not in that text. */
  readonly before: number | null;
  readonly after: number | null;
}

/** A line that both texts have, by its index in each. */
type Pair = readonly [before: number, after: number];

/** Texts with more removed and added lines than this count as replaced: no reader follows such a diff. Bounds time and memory. */
const MAX_EDITS = 2_000;

/** The shortest edit from one text to the other. Removed lines precede the added lines that replace them. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const middle = commonLines(before.slice(start, before.length - end), after.slice(start, after.length - end));
  const pairs: readonly Pair[] = [
    ...Array.from({ length: start }, (_, index): Pair => [index, index]),
    ...middle.map(([x, y]): Pair => [x + start, y + start]),
    ...Array.from({ length: end }, (_, index): Pair => [before.length - end + index, after.length - end + index]),
  ];
  return linesAround(pairs, before, after);
}

/**
 * A longest common subsequence, by Myers' greedy algorithm ("An O(ND) Difference Algorithm and Its Variations"): the
 * cost follows the number of edits, not the product of both lengths. Empty when there are more than `MAX_EDITS`.
 */
function commonLines(before: readonly string[], after: readonly string[]): readonly Pair[] {
  const [n, m] = [before.length, after.length];
  const most = Math.min(n + m, MAX_EDITS);
  // How far each diagonal k = x - y reaches in `before`, for the present number of edits.
  const reach = new Int32Array(2 * most + 3);
  const at = (k: number) => reach[k + most + 1] ?? 0;
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    for (let k = -edits; k <= edits; k += 2) {
      const isAddition = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
      let x = isAddition ? at(k + 1) : at(k - 1) + 1;
      while (x < n && x - k < m && before[x] === after[x - k]) x++;
      reach[k + most + 1] = x;
      if (x >= n && x - k >= m) return pairsOf(trace, n, m);
    }
    trace.push(reach.slice(most + 1 - edits, most + 2 + edits));
  }
  return [];
}

/** Walks back from the end. `trace[edits]` is how far the diagonals -edits to edits reached. */
function pairsOf(trace: readonly Int32Array[], n: number, m: number): readonly Pair[] {
  const pairs: Pair[] = [];
  let [x, y] = [n, m];
  for (let edits = trace.length; edits > 0; edits--) {
    const reached = (diagonal: number) => trace[edits - 1]?.[diagonal + edits - 1] ?? -1;
    const k = x - y;
    const isAddition = k === -edits || (k !== edits && reached(k - 1) < reached(k + 1));
    const from = isAddition ? reached(k + 1) : reached(k - 1);
    const begin = isAddition ? from : from + 1;
    while (x > begin) pairs.push([--x, --y]);
    [x, y] = isAddition ? [from, from - k - 1] : [from, from - k + 1];
  }
  while (x > 0 && y > 0) pairs.push([--x, --y]);
  return pairs.reverse();
}

function linesAround(pairs: readonly Pair[], before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [0, 0];
  for (const [nextX, nextY] of [...pairs, [before.length, after.length] as const]) {
    for (; x < nextX; x++) lines.push({ kind: 'removed', text: before[x] ?? '', before: x + 1, after: null });
    for (; y < nextY; y++) lines.push({ kind: 'added', text: after[y] ?? '', before: null, after: y + 1 });
    if (x < before.length) lines.push({ kind: 'same', text: before[x] ?? '', before: ++x, after: ++y });
  }
  return lines;
}

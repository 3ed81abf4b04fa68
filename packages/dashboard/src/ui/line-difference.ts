/** The difference between two texts, line by line. */

export interface DifferentLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
  /** From 1. Null: it is not in that text. */
  readonly before: number | null;
  readonly after: number | null;
}

/** Beyond this many comparisons the middle is shown as replaced: such a difference is not read line by line. */
const MOST_COMPARISONS = 4_000_000;

export function lineDifference(before: string, after: string): readonly DifferentLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const kept = keptLines(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const pairs = [
    ...a.slice(0, start).map((_, index) => [index, index] as const),
    ...kept.map(([x, y]) => [x + start, y + start] as const),
    ...Array.from({ length: end }, (_, index) => [a.length - end + index, b.length - end + index] as const),
  ];
  return linesAround(pairs, a, b);
}

/** The longest common subsequence, as pairs of positions. */
function keptLines(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  if (a.length * b.length > MOST_COMPARISONS) return [];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const length = (x: number, y: number) => lengths[x * width + y] ?? 0;
  for (let x = a.length - 1; x >= 0; x--) {
    for (let y = b.length - 1; y >= 0; y--) {
      lengths[x * width + y] = a[x] === b[y] ? length(x + 1, y + 1) + 1 : Math.max(length(x + 1, y), length(x, y + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let x = 0, y = 0; x < a.length && y < b.length; ) {
    if (a[x] === b[y]) pairs.push([x++, y++]);
    else if (length(x + 1, y) >= length(x, y + 1)) x += 1;
    else y += 1;
  }
  return pairs;
}

function linesAround(
  pairs: readonly (readonly [number, number])[],
  a: readonly string[],
  b: readonly string[],
): readonly DifferentLine[] {
  const lines: DifferentLine[] = [];
  let [x, y] = [0, 0];
  for (const [nextX, nextY] of [...pairs, [a.length, b.length] as const]) {
    for (; x < nextX; x++) lines.push({ kind: 'removed', text: a[x] ?? '', before: x + 1, after: null });
    for (; y < nextY; y++) lines.push({ kind: 'added', text: b[y] ?? '', before: null, after: y + 1 });
    if (x < a.length) lines.push({ kind: 'same', text: a[x] ?? '', before: ++x, after: ++y });
  }
  return lines;
}

import { diffLines } from '@meshwork/client/line-diff';

/** Unchanged lines that are shown around a change. */
const CONTEXT = 3;
const MARKS = { same: ' ', removed: '-', added: '+' } as const;

/** A unified diff, without its first two lines. Empty: there is no difference. */
export function unifiedDiff(from: string, to: string): string[] {
  const lines = diffLines(linesOf(from), linesOf(to));
  const shown = new Set<number>();
  for (const [index, { kind }] of lines.entries()) {
    for (let near = index - CONTEXT; kind !== 'same' && near <= index + CONTEXT; near++) shown.add(near);
  }
  // Where the next line of each text stands, from 1: where a hunk begins.
  let [before, after] = [1, 1];
  return lines.flatMap((line, index) => {
    const head = `@@ -${before} +${after} @@`;
    if (line.kind !== 'added') before++;
    if (line.kind !== 'removed') after++;
    if (!shown.has(index)) return [];
    const text = `${MARKS[line.kind]}${line.text}`;
    return index > 0 && shown.has(index - 1) ? [text] : [head, text];
  });
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

import { diff } from 'node:util';

/** Lines around a change that do not change. */
const AROUND = 3;
/** More lines than this between the first change and the last one are shown as replaced: comparing them takes too long. */
const COMPARED = 8000;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
  /** Its number in either text, from 1: where a hunk begins. */
  readonly from: number;
  readonly to: number;
}

/** The difference as a unified diff has it, without its first two lines. Empty: there is none. */
export function diffLines(from: string, to: string): string[] {
  const lines = numbered(compared(linesOf(from), linesOf(to)));
  const near = new Set<number>();
  for (const [index, { mark }] of lines.entries()) {
    for (let at = index - AROUND; mark !== ' ' && at <= index + AROUND; at++) near.add(at);
  }
  return lines.flatMap((line, index) => {
    if (!near.has(index)) return [];
    const text = `${line.mark}${line.text}`;
    return near.has(index - 1) && index > 0 ? [text] : [`@@ -${line.from} +${line.to} @@`, text];
  });
}

type Marked = Pick<Line, 'mark' | 'text'>;

function compared(from: readonly string[], to: readonly string[]): Marked[] {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start++;
  let end = 0;
  while (end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  const same = (text: string): Marked => ({ mark: ' ', text });
  const middle = middleOf(from.slice(start, from.length - end), to.slice(start, to.length - end));
  return [...from.slice(0, start).map(same), ...middle, ...from.slice(from.length - end).map(same)];
}

function middleOf(from: readonly string[], to: readonly string[]): Marked[] {
  // With an empty list the platform's own comparison fails.
  if (from.length === 0 || to.length === 0 || from.length + to.length > COMPARED) {
    return [...from.map((text) => ({ mark: '-' as const, text })), ...to.map((text) => ({ mark: '+' as const, text }))];
  }
  return diff(from, to).map(([kind, text]) => ({ mark: kind === 0 ? ' ' : kind === 1 ? '-' : '+', text }));
}

function numbered(lines: readonly Marked[]): Line[] {
  let [from, to] = [1, 1];
  return lines.map((line) => {
    const at = { ...line, from, to };
    if (line.mark !== '+') from++;
    if (line.mark !== '-') to++;
    return at;
  });
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

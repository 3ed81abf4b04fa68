/**
 * A batch of marks as one text, as it lies in `mark_batches`. The first line is a time; each other line is one mark:
 *
 *     1763190000000
 *     ["node_a",1763190000012,4,"{\"boot_id\":…}"]    in full: key, at_ms, count, body
 *     -35 871 node_b                                  in short: at_ms after the first line's time, count, key
 *
 * A line in short leaves the body as it was given last: in full in an earlier batch, or in the key's row.
 */
import type { Mark } from '../journal.ts';

interface MarkLine extends Omit<Mark, 'body'> {
  /** Undefined: the line is in short. */
  readonly body: string | null | undefined;
}

export function fullLine({ key, at_ms, count, body }: Mark): string {
  return `\n${JSON.stringify([key, at_ms, count, body])}`;
}

export function shortLine(mark: Mark, from_ms: number): string {
  const after_ms = mark.at_ms - from_ms;
  // A key may have a line end, and times may be too far apart for an exact difference.
  if (mark.key.includes('\n') || !Number.isSafeInteger(after_ms)) return fullLine(mark);
  return `\n${after_ms} ${mark.count} ${mark.key}`;
}

export function* readMarks(text: string): Generator<MarkLine, void> {
  const [first, ...lines] = text.split('\n');
  const from_ms = Number(first);
  for (const line of lines) yield line.startsWith('[') ? readFull(line) : readShort(line, from_ms);
}

function readFull(line: string): MarkLine {
  const [key, at_ms, count, body] = JSON.parse(line) as [string, number, number, string | null];
  return { key, at_ms, count, body };
}

function readShort(line: string, from_ms: number): MarkLine {
  const afterTime = line.indexOf(' ');
  const afterCount = line.indexOf(' ', afterTime + 1);
  return {
    key: line.slice(afterCount + 1),
    at_ms: from_ms + Number(line.slice(0, afterTime)),
    count: Number(line.slice(afterTime + 1, afterCount)),
    body: undefined,
  };
}

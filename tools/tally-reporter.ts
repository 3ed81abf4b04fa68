/**
 * A reporter for `test-run.ts`: one line of JSON for each test file that came to its end, with how many tests it ran.
 * Node itself counts a file without tests as a passed test, and one that leaves in the middle as if it had ended.
 */
import type { TestEvent } from 'node:test/reporters';

export interface FileTally {
  readonly file: string;
  readonly tests: number;
}

export default async function* tallyReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type !== 'test:summary' || data.file === undefined) continue;
    const tally: FileTally = { file: data.file, tests: data.counts.tests };
    yield `${JSON.stringify(tally)}\n`;
  }
}

export function readTally(text: string): readonly FileTally[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as FileTally);
}

/**
 * A reporter for `one-run.ts`, a line of JSON for each thing it has to know of a test file: that the file came to its end
 * and how many tests it ran, and that it failed. Node itself counts a file without tests as a passed test, and one that
 * leaves in the middle as if it had ended.
 */
import { resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { FileReports } from './file-reports.ts';

export type TallyLine =
  | { readonly file: string; readonly tests: number }
  | { readonly file: string; readonly failure: string };

export default async function* tallyReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const reports = new FileReports();
  for await (const event of source) {
    const report = reports.take(event);
    if (report?.passed === false) yield lineOf({ file: resolve(report.path), failure: report.failure });
    const { type, data } = event;
    if (type === 'test:summary' && data.file !== undefined) yield lineOf({ file: data.file, tests: data.counts.tests });
  }
}

function lineOf(line: TallyLine): string {
  return `${JSON.stringify(line)}\n`;
}

export function readTally(text: string): readonly TallyLine[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as TallyLine);
}

/** A reporter for logs: one line a test file, the whole story of what failed, and node's own closing counts. */
import type { TestEvent } from 'node:test/reporters';
import { type FileReport, FileReports } from './file-reports.ts';

export default async function* compactReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const reports = new FileReports();
  const failed: string[] = [];

  for await (const event of source) {
    const report = reports.take(event);
    if (report !== undefined) {
      if (!report.passed) failed.push(report.path);
      yield `${report.passed ? '✔' : '✖'} ${report.path} (${testsOf(report)}, ${report.seconds} s)\n${report.failure}`;
    } else if (event.type === 'test:diagnostic' && event.data.entryFile === undefined) {
      const names = failed.splice(0).map((path) => `  ${path}\n`);
      if (names.length > 0) yield `\nfailed:\n${names.join('')}\n`;
      yield `ℹ ${event.data.message}\n`;
    }
  }
}

function testsOf({ tests }: FileReport): string {
  return tests === 1 ? '1 test' : `${tests} tests`;
}

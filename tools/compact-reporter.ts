/**
 * A reporter for logs: one line a test file, the whole story of what failed, and node's own closing counts.
 * It goes by `test:complete`, which comes as things end; the other events wait for the files before theirs.
 */
import { relative, resolve } from 'node:path';
import type { EventData } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

interface FileReport {
  tests: number;
  /** What the file printed. Shown only when it failed. */
  output: string;
  readonly failures: string[];
}

export default async function* compactReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const reports = new Map<string, FileReport>();
  const reportOf = (file: string): FileReport => {
    const report = reports.get(file) ?? { tests: 0, output: '', failures: [] };
    reports.set(file, report);
    return report;
  };
  const failed: string[] = [];

  for await (const { type, data } of source) {
    if (type === 'test:stdout' || type === 'test:stderr') {
      // Named as it was on the command line, unlike in the other events.
      reportOf(resolve(data.file)).output += data.message;
    } else if (type === 'test:complete' && data.entryFile !== undefined) {
      noteTest(reportOf(data.entryFile), data);
    } else if (type === 'test:complete') {
      // Without an entry file it is the test file itself that has ended.
      const report = reportOf(data.file ?? data.name);
      if (!data.details.passed) failed.push(data.name);
      yield fileLines(report, data);
    } else if (type === 'test:diagnostic' && data.entryFile === undefined) {
      if (failed.length > 0)
        yield `\nfailed:\n${failed
          .splice(0)
          .map((name) => `  ${name}\n`)
          .join('')}\n`;
      yield `ℹ ${data.message}\n`;
    }
  }
}

function noteTest(report: FileReport, data: EventData.TestComplete): void {
  const { details, todo } = data;
  if (details.type === 'test') report.tests += 1;
  // A suite or a test whose parts failed repeats what the parts have said.
  const tellsNothing = failureType(details.error) === 'subtestsFailed';
  if (!details.passed && todo === undefined && !tellsNothing) report.failures.push(failureText(data));
}

function fileLines(report: FileReport, { name, details, file }: EventData.TestComplete): string {
  const seconds = (details.duration_ms / 1000).toFixed(1);
  const path = file === undefined ? name : relative(process.cwd(), file);
  const tests = report.tests === 1 ? '1 test' : `${report.tests} tests`;
  if (details.passed) return `✔ ${path} (${tests}, ${seconds} s)\n`;
  // The file failed and none of its tests did: it crashed, or it was ended.
  if (report.failures.length === 0) report.failures.push(indented(String(details.error?.cause ?? details.error), 2));
  const output = report.output.trim() === '' ? '' : `  it printed:\n${indented(report.output, 4)}\n`;
  return `✖ ${path} (${tests}, ${seconds} s)\n${report.failures.join('\n')}\n${output}`;
}

function failureText({ name, details, file, line }: EventData.TestComplete): string {
  const place = file === undefined ? '' : ` (${relative(process.cwd(), file)}:${line})`;
  const error = details.error?.cause ?? details.error;
  return `  ✖ ${name}${place}\n${indented(typeof error === 'string' ? error : inspect(error), 4)}`;
}

function failureType(error: EventData.Error | undefined): unknown {
  return error !== undefined && 'failureType' in error ? error.failureType : undefined;
}

function indented(text: string, by: number): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${' '.repeat(by)}${line}`.trimEnd())
    .join('\n');
}

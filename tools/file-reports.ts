/**
 * What became of each test file, collected from the events of node's test runner. It goes by `test:complete`, which comes
 * as things end; the other events wait for the files before theirs.
 */
import { relative, resolve } from 'node:path';
import type { EventData } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** A test file that has come to its end. */
export interface FileReport {
  /** From the working directory. */
  readonly path: string;
  readonly passed: boolean;
  readonly tests: number;
  readonly seconds: string;
  /** The failures in full and what the file printed. Empty when it passed. */
  readonly failure: string;
}

interface Collected {
  tests: number;
  output: string;
  readonly failures: string[];
}

export class FileReports {
  readonly #collected = new Map<string, Collected>();

  /** Present when the event ends a file. */
  take({ type, data }: TestEvent): FileReport | undefined {
    if (type === 'test:stdout' || type === 'test:stderr') {
      // Named as it was on the command line, unlike in the other events.
      this.#of(resolve(data.file)).output += data.message;
    } else if (type === 'test:complete' && data.entryFile !== undefined) {
      noteTest(this.#of(data.entryFile), data);
    } else if (type === 'test:complete') {
      // Without an entry file it is the test file itself that has ended.
      return fileReport(this.#of(data.file ?? data.name), data);
    }
    return undefined;
  }

  #of(file: string): Collected {
    const collected = this.#collected.get(file) ?? { tests: 0, output: '', failures: [] };
    this.#collected.set(file, collected);
    return collected;
  }
}

function noteTest(collected: Collected, data: EventData.TestComplete): void {
  const { details, todo } = data;
  if (details.type === 'test') collected.tests += 1;
  // A suite or a test whose parts failed repeats what the parts have said.
  const repeatsItsParts = failureType(details.error) === 'subtestsFailed';
  if (!details.passed && todo === undefined && !repeatsItsParts) collected.failures.push(failureText(data));
}

function fileReport(collected: Collected, { name, details, file }: EventData.TestComplete): FileReport {
  const { tests, failures, output } = collected;
  const { passed } = details;
  // The file failed and none of its tests did: it crashed, or it was ended.
  if (!passed && failures.length === 0) failures.push(indented(String(details.error?.cause ?? details.error), 2));
  const printed = output.trim() === '' ? '' : `  it printed:\n${indented(output, 4)}\n`;
  return {
    path: file === undefined ? name : relative(process.cwd(), file),
    passed,
    tests,
    seconds: (details.duration_ms / 1000).toFixed(1),
    failure: passed ? '' : `${failures.join('\n')}\n${printed}`,
  };
}

function failureText({ name, details, file, line }: EventData.TestComplete): string {
  const place = file === undefined ? '' : ` (${relative(process.cwd(), file)}:${line})`;
  const error = details.error?.cause ?? details.error;
  return `  ✖ ${name}${place}\n${indented(typeof error === 'string' ? error : inspect(error), 4)}`;
}

function failureType(error: EventData.Error | undefined): unknown {
  return error !== undefined && 'failureType' in error ? error.failureType : undefined;
}

export function indented(text: string, by: number): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${' '.repeat(by)}${line}`.trimEnd())
    .join('\n');
}

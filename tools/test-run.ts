/**
 * Runs test files and judges the run. A file that fails is run once more by itself: if it passes then, it was unsteady,
 * and is named with its first failure so that it gets mended. A few of those do not fail a run; a file that fails twice does.
 */
import { indented } from './file-reports.ts';
import { type RunOutcome, runOnce, type TestRun } from './one-run.ts';

/** With more than these, it is not chance any more. */
const MAX_UNSTEADY = 2;

/** Returns the exit code. */
export async function runTests(request: TestRun): Promise<number> {
  const first = await runOnce(request);
  if (first.interrupted || first.failed.size === 0) return codeOf(first);

  process.stdout.write(`\nonce more, each by itself:\n`);
  const unsteady: string[] = [];
  const failed: string[] = [];
  const faults = [...first.faults];
  for (const file of first.failed.keys()) {
    const again = await runOnce({ ...request, files: [file] });
    if (again.interrupted) return again.code;
    (codeOf(again) === 0 ? unsteady : failed).push(file);
    faults.push(...again.faults);
  }
  process.stdout.write(closingLines(first, unsteady, failed));
  if (unsteady.length > MAX_UNSTEADY) {
    process.stderr.write(`✖ ${unsteady.length} files were unsteady, and at most ${MAX_UNSTEADY} may be\n`);
  }
  return failed.length === 0 && faults.length === 0 && unsteady.length <= MAX_UNSTEADY ? 0 : 1;
}

function codeOf({ code, faults }: RunOutcome): number {
  return code === 0 && faults.length > 0 ? 1 : code;
}

function closingLines(first: RunOutcome, unsteady: readonly string[], failed: readonly string[]): string {
  const shown = unsteady.map((file) => `  ${file}\n${indented(first.failed.get(file) ?? '', 2)}\n`);
  return [
    ...(unsteady.length === 0 ? [] : ['\nunsteady:\n', ...shown]),
    ...(failed.length === 0 ? [] : ['\nfailed twice:\n', ...failed.map((file) => `  ${file}\n`)]),
  ].join('');
}

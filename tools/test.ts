/**
 * `npm test`: every test, or those under the paths that are named (`npm test -- packages/store`). Options go to node's
 * test runner. What the tests need beyond npm is looked for first, and installed where we can.
 */
import { resolve } from 'node:path';
import { buildDashboard, isFresh } from './dashboard-build.ts';
import { ensurePackages, SYSTEM_PACKAGES, thisMachine } from './system-packages.ts';
import { type Selection, selectTests } from './test-files.ts';
import { runTests } from './test-run.ts';

// Ours: a few times what the slowest test needs on two cores. They are there for the ones that hang.
const TEST_TIMEOUT_MS = 300_000;
const PROCESS_TIMEOUT_MS = 600_000;
const SETTLE_MS = 10_000;

const root = resolve(import.meta.dirname, '..');
process.exitCode = await main();

async function main(): Promise<number> {
  const selection = select();
  if (selection === undefined || !(await ensurePackages(SYSTEM_PACKAGES, thisMachine()))) return 1;
  if (!(await ensureDashboard(selection))) return 1;
  const forPeople = process.stdout.isTTY && process.env.CI === undefined;
  return runTests({
    root,
    ...selection,
    reporter: forPeople ? 'spec' : 'compact',
    testTimeoutMs: TEST_TIMEOUT_MS,
    processTimeoutMs: PROCESS_TIMEOUT_MS,
    settleMs: SETTLE_MS,
  });
}

/** What a browser is shown in tests is what is there now. Only its own tests need it; others run without a build. */
async function ensureDashboard({ files }: Selection): Promise<boolean> {
  try {
    const isNeeded = files.some((file) => file.startsWith('packages/dashboard/'));
    if (isNeeded && !(await isFresh(root))) await buildDashboard(root);
    return true;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

/** Absent: there is nothing to run, and we have said why. */
function select(): Selection | undefined {
  try {
    const selection = selectTests(root, process.argv.slice(2));
    if (selection.files.length > 0) return selection;
    process.stderr.write('there are no tests\n');
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
  return undefined;
}

/**
 * `npm test`: every test, or those under the paths that are named (`npm test -- packages/store`). Options go to node's
 * test runner. What the tests need beyond npm is looked for first, and installed where we can.
 */
import { resolve } from 'node:path';
import { LIMITS } from './one-run.ts';
import { type Selection, selectTests } from './test-files.ts';
import { ensureNeeds } from './test-needs.ts';
import { runTests } from './test-run.ts';

const root = resolve(import.meta.dirname, '..');
process.exitCode = await main();

async function main(): Promise<number> {
  const selection = select();
  if (selection === undefined || !(await ensureNeeds(root, selection.files))) return 1;
  const forPeople = process.stdout.isTTY && process.env.CI === undefined;
  return runTests({ root, ...selection, reporter: forPeople ? 'spec' : 'compact', ...LIMITS });
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

/**
 * `npm run test:steady -- 20`: the tests that changed since a commit (`--since`, else what is not on `origin/main`), or
 * those under the paths that are named, so many times beside a busy loop. The first that is not always green ends it.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changedTests } from './changed-tests.ts';
import { LIMITS } from './one-run.ts';
import { runSteadily } from './steady-run.ts';
import { selectTests } from './test-files.ts';
import { ensureNeeds } from './test-needs.ts';

const root = resolve(import.meta.dirname, '..');
const USAGE = 'npm run test:steady -- TIMES [--since COMMIT] [PATH …]';

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nusage: ${USAGE}\n`);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const options = { since: { type: 'string', default: 'origin/main' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [count = '', ...paths] = positionals;
  if (!/^[1-9]\d{0,3}$/.test(count)) throw new Error(`how often? "${count}" is not a number from 1 to 9999`);
  const { files: named } = selectTests(root, paths);
  const files = paths.length > 0 ? named : await changedTests(root, values.since, named);
  if (files.length === 0) {
    process.stdout.write(`no test changed since ${values.since}\n`);
    return 0;
  }
  if (!(await ensureNeeds(root, files))) return 1;
  return runSteadily({ root, files, options: [], reporter: 'compact', ...LIMITS }, Number(count));
}

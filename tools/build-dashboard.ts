/**
 * `npm run build`: builds the dashboard. With `--if-stale` only when its sources have changed since, and then a failed build
 * is no error: the panel starts, and its page says what is missing.
 */
import { resolve } from 'node:path';
import { buildDashboard, isFresh } from './dashboard-build.ts';

const root = resolve(import.meta.dirname, '..');
const ifStale = process.argv.includes('--if-stale');

if (!ifStale || !(await isFresh(root))) {
  const started = performance.now();
  process.stderr.write('building the dashboard …\n');
  try {
    await buildDashboard(root);
    process.stderr.write(`built in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (!ifStale) process.exitCode = 1;
  }
}

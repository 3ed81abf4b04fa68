/** `npm run check`: everything that can be said about the code without running its tests. */
import { availableParallelism } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { runSteps, type Step } from './steps.ts';

const root = resolve(import.meta.dirname, '..');
const bin = join(root, 'node_modules/.bin');
const tool = (name: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [join('tools', name), ...args],
});

// The longest first. The compiler on one thread: each further one makes the types of the whole contract anew.
const STEPS: readonly Step[] = [
  { name: 'types', command: join(bin, 'tsc'), args: ['--singleThreaded'] },
  { name: 'lint and format', command: join(bin, 'biome'), args: ['check', '.'] },
  { name: 'types of the dashboard', command: join(bin, 'tsc'), args: ['--singleThreaded', '-p', 'packages/dashboard'] },
  { name: 'boundaries', ...tool('boundaries.ts') },
  { name: 'dead exports', ...tool('dead-exports.ts') },
  { name: 'generated files are fresh', ...tool('generate.ts', '--check') },
  { name: 'OpenAPI', ...tool('openapi-lint.ts') },
  { name: 'lock file', ...tool('lock-file.ts') },
  { name: 'file sizes', ...tool('file-sizes.ts') },
];

// The binaries are scripts that ask the path for `node`: they get the one that runs this.
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}` };
const write = (text: string) => void process.stdout.write(text);
const failed = await runSteps(STEPS, { cwd: root, env, write }, availableParallelism());
if (failed.length > 0) {
  process.stdout.write(`\nfailed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}

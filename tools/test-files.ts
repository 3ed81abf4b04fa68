/** Which test files a run covers, and which options are passed to node: `npm test -- packages/store --test-name-pattern=revision`. */
import { existsSync, globSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const TESTS = [
  'packages/*/{src,test}/**/*.test.{ts,tsx}',
  'bench/**/*.test.ts',
  'deploy/test/*.test.ts',
  'tools/*.test.ts',
];

export interface Selection {
  /** From the root of the repository, sorted. Empty: nothing to run. */
  readonly files: readonly string[];
  /** For node's test runner. */
  readonly options: readonly string[];
}

/** Paths choose among the test files; everything else is an option. Throws on a path that is not there or has no tests. */
export function selectTests(root: string, args: readonly string[]): Selection {
  const paths: string[] = [];
  const options: string[] = [];
  for (const [index, argument] of args.entries()) {
    const before = args[index - 1];
    if (argument.startsWith('-')) options.push(argument);
    else if (existsSync(resolve(root, argument))) paths.push(relative(root, resolve(root, argument)));
    // `--test-name-pattern revision`, in two words.
    else if (before?.startsWith('--') && !before.includes('=')) options.push(argument);
    else throw new Error(`there is no file or folder ${argument}`);
  }
  const all = globSync(TESTS, { cwd: root, exclude: ['**/node_modules/**'] }).sort();
  const within = (path: string) =>
    all.filter((file) => path === '' || file === path || file.startsWith(join(path, '/')));
  const fruitless = paths.find((path) => within(path).length === 0);
  if (fruitless !== undefined) throw new Error(`there are no tests in ${fruitless}`);
  return { files: paths.length === 0 ? all : [...new Set(paths.flatMap(within))].sort(), options };
}

/** Which test files a change concerns: those that changed themselves, and those beside a source file that did. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Of `tests`, from the root, those that differ from the commit, committed or not. Throws where there is no such commit. */
export async function changedTests(root: string, since: string, tests: readonly string[]): Promise<readonly string[]> {
  const git = async (...args: readonly string[]) => {
    const { stdout } = await run('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
    return stdout.split('\0').filter((path) => path !== '');
  };
  const commit = `${since}^{commit}`;
  await git('rev-parse', '--quiet', '--verify', '--end-of-options', commit).catch(() => {
    throw new Error(`there is no commit ${since}`);
  });
  const changed = new Set([
    ...(await git('diff', '--name-only', '-z', '--no-renames', commit, '--')),
    ...(await git('ls-files', '--others', '--exclude-standard', '-z')),
  ]);
  const beside = (test: string) => test.replace(/\.test\.(tsx?)$/, '.$1');
  return tests.filter((test) => changed.has(test) || changed.has(beside(test)));
}

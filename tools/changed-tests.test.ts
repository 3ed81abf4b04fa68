import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { changedTests } from './changed-tests.ts';

test('the tests of a change are those that changed and those beside sources that did', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-changed-'));
  const root = folder.path;
  const write = (path: string, content: string) => {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: root,
    }).toString();
  const commit = (subject: string) => {
    git('add', '-A');
    git('commit', '-q', '-m', subject);
    return git('rev-parse', 'HEAD').trim();
  };
  const tests = ['same', 'committed', 'edited', 'beside', 'new'].map((name) => `src/${name}.test.ts`);
  git('init', '-q');
  for (const path of tests.slice(0, 4)) write(path, '');
  write('src/beside.ts', '');
  write('src/same.ts', '');
  const start = commit('Start');
  write('src/committed.test.ts', 'changed');
  const second = commit('Change a test');
  write('src/edited.test.ts', 'changed');
  rmSync(join(root, 'src/beside.ts'));
  write('src/new.test.ts', '');

  assert.deepEqual(await changedTests(root, start, tests), tests.slice(1));
  assert.deepEqual(await changedTests(root, second, tests), tests.slice(2));
  await assert.rejects(changedTests(root, 'nowhere', tests), { message: 'there is no commit nowhere' });
});

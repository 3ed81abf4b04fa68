import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '..');
const pages = execFileSync('git', ['ls-files', 'README.md', 'docs/*.md', 'docs/**/*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n');

/** Files that hold a secret after a reader has followed a page: its commands write or read one there. */
function secretFilesIn(page: string): string[] {
  const text = readFileSync(resolve(root, page), 'utf8');
  const flags = text.matchAll(/--(?:secret|token|password)-file[ =]([\w./-]+)/g);
  return [...new Set([...flags].map(([, file = '']) => file))].filter((file) => file !== '' && !file.startsWith('/'));
}

describe('secrets that the docs have people write', () => {
  const files = pages.flatMap((page) => secretFilesIn(page).map((file) => ({ page, file })));
  it('are found', () => assert.ok(files.some(({ page }) => page === 'README.md')));
  for (const { page, file } of files) {
    it(`${file} of ${page} is ignored by git`, () => {
      const { status } = spawnSync('git', ['check-ignore', '--quiet', '--no-index', file], { cwd: root });
      assert.equal(status, 0, `git would take ${file} into a commit`);
    });
  }
});

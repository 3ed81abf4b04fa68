/** Holds the documents to the files they speak of: a page that names a vanished file is worse than none. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '..');
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n');

/** Where a path in `code quotes` may start: the pages speak of the coordinator most. */
const STARTS = ['', 'packages', 'packages/coordinator/src', 'packages/contract/src', 'docs'];
/** What a page invents to show how something new would look. */
const INVENTED = /things?\b|<|…|\*/;

describe('the documents', () => {
  assert.ok(pages.includes('README.md') && pages.includes('docs/architecture.md'));

  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8');

    it(`${page} links to files that are there`, () => {
      const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link ?? '');
      const gone = links.filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(root, dirname(page), link)));
      assert.deepEqual(gone, []);
    });

    it(`${page} names source files that are there`, () => {
      const named = [...text.matchAll(/`([\w./<>…*-]+\.ts)`/g)].map(([, path]) => path ?? '');
      const gone = named.filter((path) => !INVENTED.test(path) && !isThere(path));
      assert.deepEqual(gone, []);
    });
  }
});

function isThere(path: string): boolean {
  return STARTS.some((start) => existsSync(join(root, start, path)));
}

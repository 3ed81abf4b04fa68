import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { staleFiles, writeFiles } from './generated-files.ts';

const FILES = [
  { path: 'docs/api/openapi.json', content: '{}\n' },
  { path: 'docs/api/errors.md', content: '# Errors\n' },
];

const temporaryFolder = () => mkdtempDisposable(join(tmpdir(), 'meshwork-generated-'));

test('a file that was never written is stale, a written one is not', async () => {
  await using folder = await temporaryFolder();
  assert.deepEqual(staleFiles(folder.path, FILES), ['docs/api/openapi.json', 'docs/api/errors.md']);
  writeFiles(folder.path, FILES);
  assert.deepEqual(staleFiles(folder.path, FILES), []);
  assert.equal(readFileSync(join(folder.path, 'docs/api/errors.md'), 'utf8'), '# Errors\n');
});

test('one changed letter makes a file stale, and writing mends it', async () => {
  await using folder = await temporaryFolder();
  writeFiles(folder.path, FILES);
  writeFileSync(join(folder.path, 'docs/api/errors.md'), '# errors\n');
  assert.deepEqual(staleFiles(folder.path, FILES), ['docs/api/errors.md']);
  writeFiles(folder.path, FILES);
  assert.deepEqual(staleFiles(folder.path, FILES), []);
});

test('nothing is written outside the repository', async () => {
  await using folder = await temporaryFolder();
  assert.throws(() => writeFiles(folder.path, [{ path: '../elsewhere.md', content: '' }]), /outside the repository/);
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newFolder } from '../../test/new-folder.ts';
import { readPrivate, writeAtomically } from './atomic-file.ts';

const CHILD = fileURLToPath(new URL('../../test/full-disk-child.ts', import.meta.url));

test('a file is the owner’s alone, replaces what was there, and leaves nothing beside it', async () => {
  await using folder = await newFolder();
  const file = join(folder.path, 'a.json');
  assert.equal(await readPrivate(file), undefined);
  await writeAtomically(file, 'one');
  await writeAtomically(file, 'two');
  assert.equal(await readPrivate(file), 'two');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder.path), ['a.json']);
});

test('a link in the place of a file is replaced, and what it leads to stays as it is', async () => {
  await using folder = await newFolder();
  const [file, theirs] = [join(folder.path, 'a.json'), join(folder.path, 'theirs')];
  await writeFile(theirs, 'theirs', { mode: 0o600 });
  await symlink(theirs, file);
  await writeAtomically(file, 'ours');
  assert.deepEqual([await readPrivate(theirs), await readPrivate(file)], ['theirs', 'ours']);
});

test('a file that others can read is refused', async () => {
  await using folder = await newFolder();
  const file = join(folder.path, 'a.json');
  await writeAtomically(file, 'secret');
  await chmod(file, 0o640);
  await assert.rejects(readPrivate(file), /a\.json cannot be read: it is open to others \(mode 640\): chmod 600/);
});

test('on a full disk the old file stays whole, and the error says why', async () => {
  await using folder = await newFolder();
  const args = ['--mount', '--propagation', 'private', process.execPath, CHILD, folder.path];
  const { stdout } = await promisify(execFile)('unshare', args);
  assert.deepEqual(stdout.trim().split('\n'), [
    'a.json cannot be written: the disk is full. What was there is unchanged.',
    'old',
    'a.json,theirs',
    'the same key as before',
    'new, once there is room',
  ]);
});

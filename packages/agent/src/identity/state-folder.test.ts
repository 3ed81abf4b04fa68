import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../../test/new-folder.ts';
import { StateError } from '../host/state-error.ts';
import { checkStateFolder, openStateFolder } from './state-folder.ts';

const HOLDER = fileURLToPath(new URL('../../test/holding-child.ts', import.meta.url));

test('the folder is made for its owner alone, and leftovers of an interrupted write are swept', async () => {
  await using parent = await newFolder();
  const path = join(parent.path, 'deep', 'state');
  assert.equal(await checkStateFolder(path), false);
  const folder = await openStateFolder(path);
  assert.equal((await stat(path)).mode & 0o777, 0o700);
  folder.close();
  await writeFile(join(path, 'identity.json.0011.tmp'), 'half');
  (await openStateFolder(path)).close();
  assert.deepEqual(await readdir(path), ['agent.lock']);
});

test('refuses a folder that others can read or that another user owns, and names the remedy', async () => {
  await using parent = await newFolder();
  const path = join(parent.path, 'state');
  await mkdir(path, { mode: 0o755 });
  await assert.rejects(openStateFolder(path), /open to others \(mode 755\): chmod 700/);
  for (const mode of [0o750, 0o770, 0o730, 0o711, 0o701, 0o714, 0o720]) {
    await chmod(path, mode);
    await assert.rejects(openStateFolder(path), /open to others .*: chmod 700 .* \(or 710: /, mode.toString(8));
  }
  await chmod(path, 0o710);
  (await openStateFolder(path)).close();
  await chmod(path, 0o700);
  await chown(path, 65534, 65534);
  await assert.rejects(openStateFolder(path), /belongs to user 65534, and this runs as 0: chown 0/);
  await writeFile(join(parent.path, 'file'), '');
  await assert.rejects(openStateFolder(join(parent.path, 'file')), /file/);
});

test('one agent at a time; one that was killed is no obstacle', async () => {
  await using parent = await newFolder();
  const child = spawn(process.execPath, [HOLDER, parent.path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    await once(child.stdout, 'data');
    const inUse = (error: unknown) =>
      error instanceof StateError && error.fault === 'in_use' && error.message.includes(`(process ${child.pid})`);
    await assert.rejects(openStateFolder(parent.path), inUse);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  const folder = await openStateFolder(parent.path);
  await assert.rejects(openStateFolder(parent.path), /another agent/);
  folder.close();
  (await openStateFolder(parent.path)).close();
});

test('of many that begin at once, one gets it', async () => {
  await using parent = await newFolder();
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => openStateFolder(parent.path)));
  const won = results.filter((result) => result.status === 'fulfilled');
  assert.equal(won.length, 1);
  for (const { value } of won) value.close();
});

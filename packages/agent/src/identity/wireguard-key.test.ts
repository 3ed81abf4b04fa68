import assert from 'node:assert/strict';
import { chmod, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { newFolder } from '../../test/new-folder.ts';
import { StateError } from '../host/state-error.ts';
import { wireguardKeyOf } from './keys.ts';
import { WireguardKey } from './wireguard-key.ts';

test('the same operation has the same key, also after a restart; another one has another', async () => {
  await using folder = await newFolder();
  assert.equal(await WireguardKey.load(folder.path), undefined);
  const key = await WireguardKey.create(folder.path);
  const first = key.current;
  const second = await key.newKeyFor('operation_1');
  assert.notEqual(second.public, first.public);
  const again = await WireguardKey.load(folder.path);
  assert.deepEqual(await again?.newKeyFor('operation_1'), second);
  assert.notEqual((await again?.newKeyFor('operation_2'))?.public, second.public);
});

test('an operation that was done before the last one changes nothing when it is asked for again', async () => {
  await using folder = await newFolder();
  const key = await WireguardKey.create(folder.path);
  await key.newKeyFor('operation_1');
  const second = await key.newKeyFor('operation_2');
  const again = await WireguardKey.load(folder.path);
  assert.deepEqual(await again?.newKeyFor('operation_1'), second);
  assert.notEqual((await again?.newKeyFor('operation_3'))?.public, second.public);
});

test('a new key is on disk before it is used', async () => {
  await using folder = await newFolder();
  const key = await WireguardKey.create(folder.path);
  const publicKey = await key.replace('operation_1', async (used) => {
    assert.equal((await WireguardKey.load(folder.path))?.private_key, used);
  });
  assert.equal(publicKey, wireguardKeyOf(key.private_key).public);
});

test('when a new key cannot be used the old one stays, also on disk', async () => {
  await using folder = await newFolder();
  const key = await WireguardKey.create(folder.path);
  const before = key.private_key;
  await assert.rejects(
    key.replace('operation_1', () => Promise.reject(new Error('no interface'))),
    /no interface/,
  );
  assert.equal(key.private_key, before);
  assert.equal((await WireguardKey.load(folder.path))?.private_key, before);
});

test('a damaged file is an error that names it and repeats nothing of it', async () => {
  await using folder = await newFolder();
  const file = join(folder.path, 'wireguard.json');
  const key = await WireguardKey.create(folder.path);
  const text = await readFile(file, 'utf8');
  for (const damage of [
    () => truncate(file, text.length - 10),
    () => writeFile(file, ''),
    () => writeFile(file, text.replace(key.private_key, key.private_key.slice(4))),
    () => writeFile(file, text.replace('"version": 1', '"version": 2')),
  ]) {
    await writeFile(file, text);
    await damage();
    const named = (error: unknown) => {
      assert.ok(error instanceof StateError && error.fault === 'corrupt' && error.message.includes(file));
      return !error.message.includes(key.private_key.slice(4, 20));
    };
    await assert.rejects(WireguardKey.load(folder.path), named);
  }
});

test('a file that others can read is a fault of the folder, and the words say what to do', async () => {
  await using folder = await newFolder();
  await WireguardKey.create(folder.path);
  await chmod(join(folder.path, 'wireguard.json'), 0o644);
  const said = (error: unknown) =>
    error instanceof StateError && error.fault === 'unfit' && /chmod 600/.test(error.message);
  await assert.rejects(WireguardKey.load(folder.path), said);
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { HeartbeatReply } from '@meshwork/contract';
import { newFolder } from '../../test/new-folder.ts';
import { LastView } from './last-view.ts';

const NODE = 'node_01jcqv5s3ee3xv9k7d0w8m2b4n';

function viewOf(revision: number): HeartbeatReply {
  return { revision, next_s: 0, peers: { full: [] }, acl: { full: [] }, firewall: [], relay: null, ingress: [] };
}

function lastView(folder: string, node = NODE) {
  const warnings: string[] = [];
  return { warnings, last: new LastView({ folder, node, warn: (problem) => void warnings.push(problem) }) };
}

test('after a restart the last view is there; of many, the latest', async () => {
  await using folder = await newFolder();
  const { last, warnings } = lastView(folder.path);
  assert.equal(await last.load(), undefined);
  let asked = 0;
  for (let revision = 1; revision <= 100; revision += 1) {
    last.save(() => {
      asked += 1;
      return viewOf(revision);
    });
  }
  await last.close();
  assert.equal(asked, 1);
  assert.deepEqual(await lastView(folder.path).last.load(), viewOf(100));
  assert.deepEqual(warnings, []);
});

test('it is written without being asked to, too', async () => {
  await using folder = await newFolder();
  const { last } = lastView(folder.path);
  last.save(() => viewOf(7));
  while (!existsSync(join(folder.path, 'view.json'))) await delay(10);
  assert.equal((await last.load())?.revision, 7);
  await last.close();
});

test('one after a quiet time is written at once, and those that follow it within a second together', async ({
  mock,
}) => {
  await using folder = await newFolder();
  const { last } = lastView(folder.path);
  mock.timers.enable({ apis: ['setTimeout'] });
  const asked: number[] = [];
  const save = (revision: number) => {
    last.save(() => {
      asked.push(revision);
      return viewOf(revision);
    });
  };
  save(1);
  assert.deepEqual(asked, []); // it comes before what it brought is taken in
  mock.timers.tick(0);
  save(2);
  save(3);
  mock.timers.tick(999);
  assert.deepEqual(asked, [1]);
  mock.timers.tick(1);
  assert.deepEqual(asked, [1, 3]);
  mock.timers.tick(1000);
  save(4);
  mock.timers.tick(0);
  assert.deepEqual(asked, [1, 3, 4]);
  await last.close();
  assert.equal((await last.load())?.revision, 4);
});

test('one that makes no sense is set aside with a warning, and so is one of another node', async () => {
  await using folder = await newFolder();
  const file = join(folder.path, 'view.json');
  const { last } = lastView(folder.path);
  last.save(() => viewOf(7));
  await last.close();
  const text = await readFile(file, 'utf8');
  const other = 'node_01jcqv5s3ee3xv9k7d0w8m2b4m';
  for (const damaged of [
    text.slice(0, -5),
    '',
    text.replace(NODE, other),
    text.replace('"full":[]', '"full":7'),
    text.replace('"full":[]', '"full":[null]'),
  ]) {
    await writeFile(file, damaged, { mode: 0o600 });
    const { last: reader, warnings } = lastView(folder.path);
    assert.equal(await reader.load(), undefined);
    assert.equal(warnings.length, 1);
    assert.equal(await readFile(`${file}.bad`, 'utf8'), damaged);
    assert.ok(!existsSync(file));
  }
});

test('a folder that cannot be written is a warning and not the end', async () => {
  const folder = await newFolder();
  const { last, warnings } = lastView(folder.path);
  await rm(folder.path, { recursive: true });
  last.save(() => viewOf(7));
  await last.close();
  assert.match(warnings.join(), /view\.json cannot be written/);
});

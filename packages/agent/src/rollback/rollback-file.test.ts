import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { rule } from '../../test/guarded-node.ts';
import { newFolder } from '../../test/new-folder.ts';
import { GUARDED_PARTS } from '../engines/engines.ts';
import { rollbackFile } from './rollback-file.ts';
import { nothingProven, type RollbackState } from './rollback-state.ts';

const NODE = 'node_01jcqv5s3ee3xv9k7d0w8m2b4n';
const STATE: RollbackState = {
  proven: {
    ...nothingProven(GUARDED_PARTS),
    egress: { value: [rule('firewall_a')], revision: 7, digest: '9b74c9897bac' },
  },
  refused: { routes: { text: '["10.0.0.0/8"]', revision: 9, at: '2026-11-15T09:30:00Z' } },
};

function fileIn(folder: string, node = NODE) {
  const warnings: string[] = [];
  const warn = (problem: string) => void warnings.push(problem);
  return { warnings, file: rollbackFile({ folder, node, warn }, GUARDED_PARTS) };
}

test('what was proven and refused is there after a restart', async () => {
  await using folder = await newFolder();
  const { file, warnings } = fileIn(folder.path);
  assert.equal(await file.load(), undefined);
  void file.save({ ...STATE, refused: {} });
  void file.save(STATE);
  await file.close();
  assert.deepEqual(await fileIn(folder.path).file.load(), STATE);
  assert.deepEqual(warnings, []);
});

test('a file that makes no sense, or is of another node, is set aside and said so', async () => {
  for (const damage of [
    (text: string) => text.slice(1),
    (text: string) => text.replace('"version":1', '"version":2'),
    (text: string) => text.replace('"routes"', '"rotes"'),
    (text: string) => text.replace(NODE, 'node_01jcqv5s3ee3xv9k7d0w8m2b4x'),
  ]) {
    await using folder = await newFolder();
    await fileIn(folder.path).file.save(STATE);
    const path = join(folder.path, 'rollback.json');
    await writeFile(path, damage(await readFile(path, 'utf8')));
    const { file, warnings } = fileIn(folder.path);
    assert.equal(await file.load(), undefined);
    assert.equal(warnings.length, 1);
    assert.deepEqual(await readdir(folder.path), ['rollback.json.bad']);
  }
});

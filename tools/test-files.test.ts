import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { selectTests } from './test-files.ts';

const TESTS = [
  'bench/src/table.test.ts',
  'packages/store/src/sqlite/journal.test.ts',
  'packages/store/test/contract.test.ts',
  'packages/store-two/src/x.test.ts',
  'tools/x.test.ts',
];
const OTHERS = [
  'packages/store/src/journal.ts',
  'packages/store/node_modules/x/src/x.test.ts',
  'bench/node_modules/x/x.test.ts',
  'docs/x.test.ts',
];

describe('the tests of a run', () => {
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
  before(async () => {
    folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-selection-'));
    for (const path of [...TESTS, ...OTHERS]) {
      mkdirSync(join(folder.path, dirname(path)), { recursive: true });
      writeFileSync(join(folder.path, path), '');
    }
  });
  after(() => folder.remove());

  const select = (...args: readonly string[]) => selectTests(folder.path, args);

  test('are all of ours without arguments, and none of anybody else’s', () => {
    assert.deepEqual(select(), { files: TESTS.toSorted(), options: [] });
  });

  test('are those of a folder or a file that is named', () => {
    assert.deepEqual(select('packages/store').files, TESTS.slice(1, 3));
    assert.deepEqual(select('./packages/store/', 'tools/x.test.ts').files, [...TESTS.slice(1, 3), 'tools/x.test.ts']);
    assert.deepEqual(select(join(folder.path, 'bench')).files, ['bench/src/table.test.ts']);
  });

  test('are narrowed by the options of node, in one word or two', () => {
    assert.deepEqual(select('tools', '--test-only').options, ['--test-only']);
    assert.deepEqual(select('--test-name-pattern=a b').options, ['--test-name-pattern=a b']);
    assert.deepEqual(select('--test-name-pattern', 'revision').options, ['--test-name-pattern', 'revision']);
  });

  test('cannot lie in a place that is not there', () => {
    assert.throws(() => select('packages/stroe'), /there is no file or folder packages\/stroe/);
  });

  test('are more than none in every place that is named', () => {
    assert.throws(() => select('tools', 'docs'), /there are no tests in docs/);
    assert.throws(
      () => select('packages/store/src/journal.ts'),
      /there are no tests in packages\/store\/src\/journal\.ts/,
    );
  });
});

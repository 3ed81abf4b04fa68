import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { oversizedFiles } from './file-sizes.ts';

test('a file of 400 lines passes and one of 401 does not, unless it is generated', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-sizes-'));
  mkdirSync(join(folder.path, 'packages/store/src/generated'), { recursive: true });
  const write = (name: string, lines: number) =>
    writeFileSync(join(folder.path, 'packages/store/src', name), 'export {};\n'.repeat(lines));
  write('just.ts', 400);
  write('over.ts', 401);
  write('generated/table.ts', 401);
  assert.deepEqual(oversizedFiles(folder.path), [
    'packages/store/src/over.ts has 401 lines; the limit is 400: split it by subject',
  ]);
});

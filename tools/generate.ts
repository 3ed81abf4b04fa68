/** `npm run generate` writes the generated files. With `--check` it only says which are stale, and fails if any is. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { generatedFiles } from '@meshwork/contract/generate';
import { staleFiles, writeFiles } from './generated-files.ts';
import { lockFileWithoutEngines, readLockFile } from './lock-file.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const root = resolve(import.meta.dirname, '..');
const files = [...generatedFiles(), lockFileWithoutEngines(readLockFile(root))];
const stale = staleFiles(root, files);

if (!values.check) {
  writeFiles(root, files);
  for (const path of stale) process.stdout.write(`wrote ${path}\n`);
} else if (stale.length > 0) {
  for (const path of stale) process.stdout.write(`${path} is stale\n`);
  process.stdout.write('to refresh: npm run generate\n');
  process.exitCode = 1;
}

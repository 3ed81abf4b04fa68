/** No source file over 400 lines: past that, a file has more than one subject. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sourceFiles } from './workspace.ts';

const MAX_LINES = 400;

export function oversizedFiles(root: string): readonly string[] {
  return sourceFiles(root)
    .filter((file) => !file.includes('/generated/'))
    .map((file) => ({ file, lines: readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ file, lines }) => `${file} has ${lines} lines; the limit is ${MAX_LINES}: split it by subject`);
}

if (import.meta.main) {
  const oversized = oversizedFiles(resolve(import.meta.dirname, '..'));
  for (const line of oversized) process.stdout.write(`${line}\n`);
  process.exitCode = oversized.length > 0 ? 1 : 0;
}

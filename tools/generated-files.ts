/** Files that are derived from code and checked in because people read them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

interface GeneratedFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly content: string;
}

/** The paths whose text differs from what would be written, or that are not there. */
export function staleFiles(root: string, files: readonly GeneratedFile[]): readonly string[] {
  return files.filter(({ path, content }) => readIfThere(within(root, path)) !== content).map(({ path }) => path);
}

export function writeFiles(root: string, files: readonly GeneratedFile[]): void {
  for (const { path, content } of files) {
    const target = within(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
}

function within(root: string, path: string): string {
  const target = join(root, path);
  if (!target.startsWith(join(normalize(root), '/')))
    throw new Error(`a generated file lies outside the repository: ${path}`);
  return target;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A small workspace on disk, for tests of what is checked about imports. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkBoundaries } from './boundaries.ts';

export type Tree = Readonly<Record<string, string>>;

/** Of the given files. Packages without a manifest of their own get a plain one. */
export async function smallWorkspace(files: Tree): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-workspace-'));
  const packages = Object.keys(files).flatMap((file) => /^(packages\/[^/]+|bench)\//.exec(file)?.[1] ?? []);
  const manifests = packages.map((path) => [`${path}/package.json`, manifest(path)]);
  const tree: Tree = { 'package.json': '{}', ...Object.fromEntries(manifests), ...files };
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(join(folder.path, dirname(path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  }
  return folder;
}

/** What the boundary check says of a small workspace. */
export async function violationsOf(files: Tree): Promise<readonly string[]> {
  await using workspace = await smallWorkspace(files);
  return checkBoundaries(workspace.path);
}

export function manifest(path: string, more: object = {}): string {
  const name = `@meshwork/${path.replace('packages/', '')}`;
  return JSON.stringify({ name, exports: { '.': './src/index.ts', './testing': './test/parts.ts' }, ...more });
}

/** A manifest that declares these packages of ours. */
export function using(path: string, ...dependencies: readonly string[]): Tree {
  const declared = Object.fromEntries(dependencies.map((dependency) => [dependency, '0.1.0']));
  return { [`${path}/package.json`]: manifest(path, { dependencies: declared }) };
}

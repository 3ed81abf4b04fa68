/** From what a file writes to what it means: each import, resolved and named the way the boundary rules name it. */
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { parseModule, type Reach } from './imports.ts';
import { type Exports, type Package, packageOf, type Workspace } from './workspace.ts';

export interface Edge {
  readonly from: string;
  readonly line: number;
  readonly verb: Reach['verb'];
  /** True: only types, for which nothing is loaded. */
  readonly types: boolean;
  /**
   * What the rules match:
   * `packages/store/src/x.ts` (own package), `@meshwork/store/testing` (another one, through its exports),
   * `outside:<path>` (a relative path that leaves the package), `inner:<specifier>` (not exported),
   * `missing:<path or specifier>`, `node:fs`, `pg` (an external package), `process.env`.
   */
  readonly to: string;
  /** The file of ours that it leads to. Absent: it leads to none. */
  readonly file?: string;
  /** The package to declare, ours or external. Absent: nothing to declare. */
  readonly dependency?: string;
}

interface Edges {
  readonly edges: readonly Edge[];
  /** Files that do not parse, as lines to report. */
  readonly unreadable: readonly string[];
}

export function readEdges(workspace: Workspace): Edges {
  const edges: Edge[] = [];
  const unreadable: string[] = [];
  for (const from of workspace.files) {
    const { reaches, errors } = parseModule(from, readFileSync(join(workspace.root, from), 'utf8'));
    unreadable.push(...errors.map(({ line, message }) => `${from}:${line} does not parse: ${message}`));
    edges.push(
      ...reaches
        .map(({ verb, specifier, line, types }) => ({
          from,
          line,
          verb,
          types,
          ...resolve(workspace, from, specifier),
        }))
        // An address is not an import: naming a file that is not there may be the point, as in a test of a failed start.
        .filter(({ verb, to }) => !(verb === 'starts' && to.startsWith('missing:'))),
    );
  }
  return { edges, unreadable };
}

/** The file of ours that a specifier leads to. Undefined: to none. */
export function resolvedFile(workspace: Workspace, from: string, specifier: string): string | undefined {
  return resolve(workspace, from, specifier).file;
}

type Target = Pick<Edge, 'to' | 'file' | 'dependency'>;

function resolve(workspace: Workspace, from: string, specifier: string): Target {
  if (specifier === 'process.env') return { to: specifier };
  if (/^\.\.?(\/|$)/.test(specifier)) {
    return resolvePath(workspace, from, posix.join(posix.dirname(from), specifier));
  }
  if (isBuiltin(specifier)) return { to: `node:${specifier.replace(/^node:/, '')}` };
  const dependency = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (!dependency.startsWith('@meshwork/')) return { to: dependency, dependency };
  const target = workspace.packages.find(({ name }) => name === dependency);
  if (target === undefined) return { to: `missing:${specifier}` };
  return resolveEntry(workspace, { from, specifier, target });
}

function resolvePath(workspace: Workspace, from: string, path: string): Target {
  const home = packageOf(workspace, from)?.folder ?? from.slice(0, from.indexOf('/'));
  if (!path.startsWith(`${home}/`)) return { to: `outside:${path}` };
  return existsSync(join(workspace.root, path)) ? { to: path, file: path } : { to: `missing:${path}` };
}

function resolveEntry(
  workspace: Workspace,
  { from, specifier, target }: { readonly from: string; readonly specifier: string; readonly target: Package },
): Target {
  const subpath = `.${specifier.slice(target.name.length)}`;
  const exported = exportedPath(target.manifest.exports, subpath);
  if (exported === undefined) return { to: `inner:${specifier}`, dependency: target.name };
  const path = posix.join(target.folder, exported);
  if (!existsSync(join(workspace.root, path))) return { to: `missing:${path}`, dependency: target.name };
  // A package that imports itself by name takes a long way round to a file of its own.
  if (packageOf(workspace, from) === target) return { to: path, file: path };
  return { to: specifier, file: path, dependency: target.name };
}

function exportedPath(exports: Exports | undefined, subpath: string): string | undefined {
  if (exports === undefined) return undefined;
  if (typeof exports === 'string') return subpath === '.' ? exports : undefined;
  if (!Object.keys(exports).some((key) => key.startsWith('.')))
    return subpath === '.' ? conditional(exports) : undefined;
  const exact = exports[subpath];
  if (exact !== undefined) return conditional(exact);
  for (const [key, value] of Object.entries(exports)) {
    const [before, after] = key.split('*');
    if (before === undefined || after === undefined) continue;
    if (!subpath.startsWith(before) || !subpath.endsWith(after)) continue;
    return conditional(value)?.replaceAll('*', subpath.slice(before.length, subpath.length - after.length));
  }
  return undefined;
}

function conditional(exports: Exports): string | undefined {
  if (typeof exports === 'string') return exports;
  const chosen = Object.entries(exports).find(([condition]) => ['node', 'import', 'default'].includes(condition));
  return chosen === undefined ? undefined : conditional(chosen[1]);
}

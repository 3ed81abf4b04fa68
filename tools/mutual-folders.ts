/** Folders of one package that import each other: neither can be read without the other. */
import { dirname } from 'node:path/posix';
import type { Edge } from './import-edges.ts';
import { isTestFile } from './workspace.ts';

/** Each pair once, with an import in either direction. Tests may reach wherever they like. */
export function findMutualFolders(edges: readonly Edge[]): readonly (readonly [Edge, Edge])[] {
  const byFolders = new Map<string, Edge>();
  for (const edge of edges) {
    const siblings = isTestFile(edge.from) ? undefined : siblingsOf(edge);
    if (siblings !== undefined && !byFolders.has(siblings.join(' '))) byFolders.set(siblings.join(' '), edge);
  }
  return [...byFolders].flatMap(([folders, there]) => {
    const [from, to] = folders.split(' ') as [string, string];
    const back = from < to ? byFolders.get(`${to} ${from}`) : undefined;
    return back === undefined ? [] : [[there, back] as const];
  });
}

/** The two folders of one parent that an import leads from and to. Undefined: one contains the other. */
export function siblingsOf({ from, file, to }: Edge): readonly [string, string] | undefined {
  if (file === undefined || file !== to) return undefined; // into another package, or to none of ours
  const [one, other] = [dirname(from).split('/'), dirname(file).split('/')];
  const fork = one.findIndex((part, depth) => part !== other[depth]);
  if (fork < 0 || fork >= other.length) return undefined;
  return [one.slice(0, fork + 1).join('/'), other.slice(0, fork + 1).join('/')];
}

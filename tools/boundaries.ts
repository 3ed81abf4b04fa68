/**
 * The boundary check: parses every source file and reports each import that the rules forbid, what a program loads that it
 * should not, each import cycle, each two folders that import each other, and each dependency that is undeclared or unused.
 * The rules and their reasons stand in `boundary-rules.ts`.
 */
import { resolve } from 'node:path';
import { LOAD_RULES, RULES, type Rule } from './boundary-rules.ts';
import { findUndeclared, findUnused } from './declared-dependencies.ts';
import { findCycles } from './import-cycles.ts';
import { type Edge, readEdges } from './import-edges.ts';
import { findLoads } from './import-loads.ts';
import { findMutualFolders, siblingsOf } from './mutual-folders.ts';
import { matchesPair } from './patterns.ts';
import { readWorkspace } from './workspace.ts';

export function checkBoundaries(root: string, rules: readonly Rule[] = RULES): readonly string[] {
  const workspace = readWorkspace(root);
  const { edges, unreadable } = readEdges(workspace);
  return [
    ...unreadable,
    ...edges.flatMap((edge) => forbidden(rules, edge)),
    ...findLoads(edges, LOAD_RULES),
    ...findCycles(edges).map(cycleLine),
    ...findMutualFolders(edges).map(mutualLine),
    ...findUndeclared(workspace, edges),
    ...findUnused(workspace, edges),
  ];
}

function forbidden(rules: readonly Rule[], edge: Edge): readonly string[] {
  const rule = rules.find((candidate) => forbids(candidate, edge));
  if (rule === undefined) return [];
  const target = edge.to.replace(/^(missing|outside|inner):/, '');
  return [`${edge.from}:${edge.line} ${edge.verb} ${target}: ${rule.reason}`];
}

function forbids(rule: Rule, edge: Edge): boolean {
  const passes = rule.except?.some(({ from = ['**'], to = ['**'] }) => matchesPair({ from, to }, edge)) ?? false;
  return matchesPair(rule, edge) && !passes;
}

function cycleLine(cycle: readonly Edge[]): string {
  const [first] = cycle;
  const way = [...cycle.map(({ from }) => from), first?.from].join(' -> ');
  return `${first?.from}:${first?.line} imports ${first?.file}: these files import each other in a circle: ${way}`;
}

function mutualLine([there, back]: readonly [Edge, Edge]): string {
  const [one, other] = siblingsOf(there) ?? [];
  return `${back.from}:${back.line} imports ${back.file}: ${one} and ${other} import each other, as in ${there.from}:${there.line}`;
}

if (import.meta.main) {
  const violations = checkBoundaries(resolve(import.meta.dirname, '..'));
  for (const violation of violations) process.stdout.write(`${violation}\n`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}

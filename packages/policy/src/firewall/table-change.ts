import { SET_NAMES } from './acl-sets.ts';
import type { CompiledNode } from './compile-node.ts';

/** What a table is known by: its structure, and what is in its sets. */
export type TableContent = Pick<CompiledNode, 'table' | 'structure' | 'sets'>;

/**
 * What to give to `nft -f` so that the table of `before` becomes that of `after`: only elements of sets, and with them
 * the counters and the rates go on as they are. Empty: nothing to do. Undefined: more has changed, replace the table.
 */
export function tableChange(before: TableContent, after: TableContent): string | undefined {
  if (before.structure !== after.structure) return undefined;
  const command = (verb: 'add' | 'delete', name: string, elements: readonly string[]) =>
    elements.length === 0 ? [] : [`${verb} element inet ${after.table} ${name} { ${elements.join(', ')} }\n`];
  const gone = SET_NAMES.flatMap((name) => command('delete', name, missing(before.sets[name], after.sets[name])));
  const come = SET_NAMES.flatMap((name) => command('add', name, missing(after.sets[name], before.sets[name])));
  // First what goes: a range that grew overlaps the one that it replaces.
  return [...gone, ...come].join('');
}

/** Those of the first list that the second does not have. */
function missing(elements: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return elements.filter((element) => !known.has(element));
}

import type { TableContent } from '@meshwork/policy/firewall';

type Sets = TableContent['sets'];
type SetName = keyof Sets;

/** The table with some elements in place of others. Undefined: it does not have all of those that go. */
export function withElements(held: TableContent, gone: Sets, come: Sets): TableContent | undefined {
  const sets: Record<SetName, readonly string[]> = { ...held.sets };
  for (const name of namesIn(gone, come)) {
    const leaving = new Set(gone[name]);
    const staying = held.sets[name].filter((element) => !leaving.has(element));
    if (held.sets[name].length - staying.length !== leaving.size) return undefined;
    sets[name] = [...staying, ...come[name]];
  }
  return { table: held.table, structure: held.structure, sets };
}

/**
 * A text that the kernel takes only if the table has all elements of `come`, and none of those that went. `nft` has no cheaper way to
 * ask for single elements: `get element` reads the whole table first. Only to be checked, never to be loaded.
 */
export function elementsCheck(table: string, gone: Sets, come: Sets): string {
  const command = (verb: 'create' | 'delete', name: SetName, elements: readonly string[]) =>
    elements.length === 0 ? '' : `${verb} element inet ${table} ${name} { ${elements.join(', ')} }\n`;
  return namesIn(gone, come)
    .map((name) => {
      const there = new Set(come[name]);
      const absent = gone[name].filter((element) => !there.has(element));
      return command('delete', name, come[name]) + command('create', name, absent);
    })
    .join('');
}

function namesIn(gone: Sets, come: Sets): readonly SetName[] {
  const names = Object.keys(gone) as SetName[];
  return names.filter((name) => gone[name].length + come[name].length > 0);
}

import type { CompiledNode } from '@meshwork/policy/firewall';
import { listedElement, type TableListing } from './table-listing.ts';

/** How many differences are listed: enough to know what happened, without filling a page. */
const MAX_LISTED = 5;

/** We give a table no flag. One that is dormant filters nothing. */
export function flagDifferences(flags: readonly string[]): readonly string[] {
  return flags.map((flag) =>
    flag === 'dormant' ? 'the table is switched off (dormant)' : `the table has the flag ${flag}`,
  );
}

/** What stands in the one listing otherwise than in the other, apart from elements. */
export function structureDifferences(wanted: TableListing, seen: TableListing): readonly string[] {
  return [
    ...[...wanted.things].flatMap(([name, text]) => {
      const there = seen.things.get(name);
      if (there === undefined) return [`${name} is not there`];
      return there === text ? [] : [`${name} is not as it was loaded`];
    }),
    ...[...seen.things.keys()].filter((name) => !wanted.things.has(name)).map((name) => `${name} should not be there`),
    ...[...wanted.chains].flatMap(([name, { rules }]) => {
      const there = seen.chains.get(name)?.rules;
      if (there === undefined) return [];
      if (there.length !== rules.length) return [`chain ${name} has ${there.length} rules instead of ${rules.length}`];
      return there.every(({ text }, index) => text === rules[index]?.text) ? [] : [`chain ${name} has other rules`];
    }),
  ];
}

export function elementDifferences(sets: CompiledNode['sets'], seen: TableListing): readonly string[] {
  return Object.entries(sets).flatMap(([name, elements]) => {
    const there = seen.elements.get(name);
    if (there === undefined) return [];
    const [wanted, present] = [new Set(elements.map(listedElement)), new Set(there)];
    return [
      ...several(`set ${name} lacks`, [...wanted.difference(present)]),
      ...several(`set ${name} should not have`, [...present.difference(wanted)]),
    ];
  });
}

function several(what: string, [first, ...more]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  return [`${what} ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`];
}

/** Null: there are none. */
export function inWords(differences: readonly string[]): string | null {
  if (differences.length === 0) return null;
  const more = differences.length - MAX_LISTED;
  return differences.slice(0, MAX_LISTED).join('; ') + (more > 0 ? `; and ${more} more` : '');
}

import type { Finding } from './way.ts';

/** How many entries there are at most: of more, one cannot choose. */
const MOST_ENTRIES = 6;

/**
 * What would make it possible, each entry by itself. Where several findings are in the way, each entry has a step for each
 * of them, in the order of the walk, on a line of its own.
 */
export function combineFixes(findings: readonly Finding[]): readonly string[] {
  const open = findings.filter(({ outcome, fix }) => outcome !== 'pass' && fix.length > 0);
  const entries = open.reduce<readonly (readonly string[])[]>(
    (before, { fix }) => fix.flatMap((one) => before.map((steps) => [...steps, ...one.split('\n')])),
    [[]],
  );
  return [...new Set(entries.map(numbered))].slice(0, MOST_ENTRIES);
}

/** What would make both possible: each entry of the one, with the steps that only the other has after it. */
export function mergeFixes(some: readonly string[], more: readonly string[]): readonly string[] {
  if (some.length === 0 || more.length === 0) return some.length === 0 ? more : some;
  return [...new Set(some.map((entry, place) => numbered([entry, more[place] ?? more[0] ?? ''].flatMap(stepsIn))))];
}

function stepsIn(entry: string): readonly string[] {
  return entry.split('\n').map((step) => step.replace(/^\d+\. /, ''));
}

/** Steps that belong together, as one fix of a finding. */
export function together(steps: readonly string[]): readonly string[] {
  return steps.length === 0 ? [] : [steps.join('\n')];
}

function numbered(steps: readonly string[]): string {
  const each = [...new Set(steps)];
  return each.length === 1 ? each.join() : each.map((step, index) => `${index + 1}. ${step}`).join('\n');
}

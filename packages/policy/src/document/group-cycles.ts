import type { Problems } from './problems.ts';
import type { Value } from './values.ts';

/** By name, the groups that a group takes in, and where it says so. */
type Inner = ReadonlyMap<string, readonly { readonly name: string; readonly value: Value }[]>;

const MOST_NAMED = 12;

/** Tells of each selector that leads back to its own group. Without recursion: a chain may be as long as there are groups. */
export function findGroupCycles(inner: Inner, problems: Problems): void {
  const done = new Set<string>();
  for (const root of inner.keys()) {
    if (done.has(root)) continue;
    const path = [{ name: root, next: 0 }];
    const onPath = new Set([root]);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const selector = inner.get(last.name)?.[last.next++];
      if (selector === undefined) {
        done.add(last.name);
        onPath.delete(last.name);
        path.pop();
      } else if (onPath.has(selector.name)) {
        problems.report(selector.value, () => cycleWords([...onPath], selector.name));
      } else if (!done.has(selector.name)) {
        path.push({ name: selector.name, next: 0 });
        onPath.add(selector.name);
      }
    }
  }
}

function cycleWords(path: readonly string[], back: string): string {
  const cycle = [...path.slice(path.indexOf(back)), back];
  const named =
    cycle.length > MOST_NAMED ? [...cycle.slice(0, MOST_NAMED - 2), '…', ...cycle.slice(cycle.length - 2)] : cycle;
  return `A group cannot contain itself: ${named.join(' -> ')}. Remove one of these steps.`;
}

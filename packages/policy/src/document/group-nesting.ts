import { LIMITS } from './limits.ts';
import { counted, type Problems } from './problems.ts';
import type { Value } from './values.ts';

/** By name, the groups that a group takes in, and where it says so. */
type Inner = ReadonlyMap<string, readonly { readonly name: string; readonly value: Value }[]>;

const MOST_NAMED = 12;

/** Reports groups that contain themselves, or nest too deep. */
export function checkNesting(inner: Inner, problems: Problems): void {
  const before = problems.count;
  const insideOut = findCycles(inner, problems);
  if (problems.count === before) findLongChains(inner, insideOut, problems);
}

/**
 * Reports each selector that leads back to its own group. Without recursion: a chain may be as long as there are groups.
 * Where none does, each group comes after all that are inside it in what is returned.
 */
function findCycles(inner: Inner, problems: Problems): Iterable<string> {
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
  return done;
}

interface Chain {
  readonly length: number;
  /** Where the group says which one is next. Undefined: it is the innermost. */
  readonly next: { readonly name: string; readonly value: Value } | undefined;
}

/** Reports each group that nests too deep, unless another group contains it: then that one is reported. */
function findLongChains(inner: Inner, insideOut: Iterable<string>, problems: Problems): void {
  const chains = new Map<string, Chain>();
  const held = new Set<string>();
  for (const name of insideOut) {
    let longest: Chain = { length: 1, next: undefined };
    for (const next of inner.get(name) ?? []) {
      held.add(next.name);
      const length = 1 + (chains.get(next.name)?.length ?? 1);
      if (length > longest.length) longest = { length, next };
    }
    chains.set(name, longest);
  }
  for (const [name, { length, next }] of chains) {
    if (length <= LIMITS.groupsInChain || next === undefined || held.has(name)) continue;
    problems.report(next.value, () => chainWords(name, chains));
  }
}

function chainWords(start: string, chains: ReadonlyMap<string, Chain>): string {
  const path: string[] = [];
  for (let name: string | undefined = start; name !== undefined; name = chains.get(name)?.next?.name) path.push(name);
  return `${counted(path.length)} groups are inside each other here: ${shortened(path)}. ${LIMITS.groupsInChain} are the most.`;
}

function cycleWords(path: readonly string[], back: string): string {
  const cycle = [...path.slice(path.indexOf(back)), back];
  return `A group cannot contain itself: ${shortened(cycle)}. Remove one of these steps.`;
}

function shortened(path: readonly string[]): string {
  const named =
    path.length > MOST_NAMED ? [...path.slice(0, MOST_NAMED - 2), '…', ...path.slice(path.length - 2)] : path;
  return named.join(' -> ');
}

/** What files load in the end, by whatever way: for rules about programs that have to stay small. */
import type { Rule } from './boundary-rules.ts';
import type { Edge } from './import-edges.ts';
import { matches, matchesPair } from './patterns.ts';

/** Each import by which a file of `from` starts to load something of `to`, with the way there. */
export function findLoads(edges: readonly Edge[], rules: readonly Rule[]): readonly string[] {
  const loads = edges.filter(({ verb, types }) => verb === 'imports' && !types);
  return rules.flatMap((rule) => forbiddenLoads(loads, rule));
}

function forbiddenLoads(loads: readonly Edge[], { from, to, except = [], reason }: Rule): readonly string[] {
  const ways = waysTo(loads, to);
  const passes = (edge: Edge) =>
    except.some((one) => matchesPair({ from: one.from ?? ['**'], to: one.to ?? ['**'] }, edge));
  // Reported where the path leaves the files of the rule: the import to change, rather than every import that leads to it.
  const leaving = loads.filter((edge) => matches(from, edge.from) && !matches(from, edge.file ?? edge.to));
  return leaving.flatMap((edge) => {
    const way = matches(to, edge.file ?? edge.to) ? [] : ways.get(edge.file ?? '');
    if (way === undefined || passes(edge)) return [];
    const through = [edge.to, ...way.map((step) => step.file ?? step.to)].join(' -> ');
    return [`${edge.from}:${edge.line} loads ${through}: ${reason}`];
  });
}

/** For each file that loads something of `to`, a shortest way there. */
function waysTo(loads: readonly Edge[], to: readonly string[]): ReadonlyMap<string, readonly Edge[]> {
  const into = Map.groupBy(loads, (edge) => edge.file ?? edge.to);
  const ways = new Map<string, readonly Edge[]>();
  const targets = [...into.keys()].filter((target) => matches(to, target));
  const seen = new Set(targets);
  let front: (readonly [file: string, way: readonly Edge[]])[] = targets.map((target) => [target, []]);
  while (front.length > 0) {
    const next: typeof front = [];
    for (const [target, way] of front) {
      for (const edge of into.get(target) ?? []) {
        if (seen.has(edge.from)) continue;
        seen.add(edge.from);
        ways.set(edge.from, [edge, ...way]);
        next.push([edge.from, [edge, ...way]]);
      }
    }
    front = next;
  }
  return ways;
}

/** Import cycles among files: each is reported once, by its shortest way round. */
import type { Edge } from './import-edges.ts';

type Graph = ReadonlyMap<string, readonly Edge[]>;

/** Each cycle as the edges that make it, starting at its first file by name. */
export function findCycles(edges: readonly Edge[]): readonly (readonly Edge[])[] {
  const graph = graphOf(edges);
  const settled = new Set<string>();
  const cycles: (readonly Edge[])[] = [];
  for (const file of [...graph.keys()].sort()) {
    if (settled.has(file)) continue;
    const cycle = shortestWayBack(graph, file);
    // Every file of a reported cycle is settled, so the cycle is not reported again from each of them.
    for (const edge of cycle) settled.add(edge.from);
    if (cycle.length > 0) cycles.push(cycle);
  }
  return cycles;
}

function graphOf(edges: readonly Edge[]): Graph {
  // A worker has a module graph of its own, so starting one closes no cycle.
  const imports = edges.filter(({ verb, file }) => verb === 'imports' && file !== undefined);
  return Map.groupBy(imports, ({ from }) => from);
}

/** Breadth first from the file's own imports until one leads back to it. Empty: none does. */
function shortestWayBack(graph: Graph, start: string): readonly Edge[] {
  const seen = new Set<string>();
  let front: (readonly Edge[])[] = (graph.get(start) ?? []).map((edge) => [edge]);
  while (front.length > 0) {
    const next: (readonly Edge[])[] = [];
    for (const way of front) {
      const at = way.at(-1)?.file;
      if (at === undefined || seen.has(at)) continue;
      if (at === start) return way;
      seen.add(at);
      next.push(...(graph.get(at) ?? []).map((edge) => [...way, edge]));
    }
    front = next;
  }
  return [];
}

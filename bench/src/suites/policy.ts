import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { difference, Engine, type PolicyDocument } from '@meshwork/policy';
import { median, type Row } from '../measure.ts';
import { COMPANY, OPEN, type PolicyMesh, STREWN } from '../policy-meshes.ts';

const SIZES = [100, 1000, 10_000, 50_000];
const ROUNDS = 5;
const RETAGS = 2000;

interface Measured {
  readonly nodes: number;
  readonly cohorts: number;
  readonly compile_ms: number;
  readonly retag_ms: number;
  readonly edit_ms: number;
  readonly heap_bytes: number;
}

/**
 * Policies by the size of the mesh: computing the views of all nodes from nothing, other tags for one node, and an edit of one
 * grant. The cost for each node is compared with that in the next smaller mesh.
 */
export async function policySuite(): Promise<Row[]> {
  return [
    ...rows('200 groups, 500 grants', SIZES, COMPANY),
    ...rows('one group of everything', SIZES, OPEN),
    ...rows('no two nodes alike', [100, 1000], STREWN),
  ];
}

function rows(what: string, counts: readonly number[], mesh: PolicyMesh): Row[] {
  const sizes = counts.map((count) => measure(mesh, count));
  return sizes.flatMap((size, index) => {
    const smaller = sizes[index - 1];
    const against = (value: (measured: Measured) => number, isPerNode: boolean) => {
      if (smaller === undefined) return {};
      const times = isPerNode ? size.nodes / smaller.nodes : 1;
      const name = smaller.nodes.toLocaleString('en');
      return { against: { what: isPerNode ? `${times} × ${name}` : name, value: value(smaller) * times } };
    };
    const name = `${what}, ${size.nodes.toLocaleString('en')} nodes, cohorts: ${size.cohorts.toLocaleString('en')}`;
    const isAimedAt = mesh === COMPANY && size.nodes === 10_000;
    return [
      {
        what: `${name}; from nothing, every view`,
        value: size.compile_ms,
        unit: 'ms',
        ...against((measured) => measured.compile_ms, true),
        ...(isAimedAt ? { aim: '< 250 ms' } : {}),
      },
      {
        what: '  other tags for one node, and its views',
        value: size.retag_ms * 1000,
        unit: 'µs',
        ...against((measured) => measured.retag_ms * 1000, false),
        aim: '< 1,000 µs',
      },
      {
        what: '  difference to a policy with one grant less',
        value: size.edit_ms,
        unit: 'ms',
        ...against((measured) => measured.edit_ms, true),
      },
      {
        what: '  memory of the engine',
        value: size.heap_bytes / 2 ** 10,
        unit: 'KiB',
        ...against((measured) => measured.heap_bytes / 2 ** 10, true),
      },
    ];
  });
}

function measure(mesh: PolicyMesh, count: number): Measured {
  const { document } = mesh;
  const nodes = Array.from({ length: count }, (_, index) => mesh.node(index));
  const [compiles, edits]: [number[], number[]] = [[], []];
  const compile = (policy: PolicyDocument) => Engine.compile({ document: policy, nodes, lapsed: new Set() });
  const lesser = compile({ ...document, grants: document.grants.slice(1) });
  for (let round = 0; round <= ROUNDS; round++) {
    compiles.push(timeOf(() => everyView(compile(document))));
    const engine = compile(document);
    edits.push(timeOf(() => Array.from(difference(engine, lesser))));
  }
  const before = heapUsed();
  const engine = compile(document);
  everyView(engine);
  const heap_bytes = heapUsed() - before;
  return {
    nodes: count,
    cohorts: [...engine.cohorts()].length,
    // The first round is for the machine to warm up.
    compile_ms: median(compiles.slice(1)),
    edit_ms: median(edits.slice(1)),
    retag_ms: retag(engine, mesh, count),
    heap_bytes,
  };
}

/** Computes the views of all cohorts, so that nothing is left for later. */
function everyView(engine: Engine): void {
  for (const cohort of engine.cohorts()) viewOf(engine, cohort);
}

function viewOf(engine: Engine, cohort: Parameters<Engine['peersOf']>[0]): number {
  let items = engine.matches(cohort).length;
  for (const peer of engine.peersOf(cohort)) items += engine.terms(cohort, peer).allow.length;
  return items;
}

/** Nodes get other tags. Each time the views of the node and its new peers are computed. */
function retag(engine: Engine, mesh: PolicyMesh, count: number): number {
  const times: number[] = [];
  for (let done = 0; done < RETAGS; done++) {
    const node = mesh.node((done * 7919) % count, 1 + Math.floor(done / count));
    times.push(
      timeOf(() => {
        const move = engine.set(node);
        if (move?.to === undefined) return;
        viewOf(engine, move.to);
        for (const peer of engine.peersOf(move.to)) engine.terms(peer, move.to);
      }),
    );
  }
  return median(times);
}

function timeOf(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function heapUsed(): number {
  // Twice, for what only the first one lets go of.
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

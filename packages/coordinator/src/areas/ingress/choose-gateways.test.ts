import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NodeId } from '@meshwork/contract';
import fc from 'fast-check';
import { chooseGateways, type Fitness } from './choose-gateways.ts';

interface World {
  readonly replicas?: number;
  readonly draining?: boolean;
  /** Such as `a b-`: a serves, b drains. */
  readonly present?: string;
  /** Nodes that are not named are gone. */
  readonly fitness: Readonly<Record<string, Fitness>>;
  readonly ingresses?: Readonly<Record<string, number>>;
  readonly connections?: Readonly<Record<string, number>>;
}

const parsed = (text: string) =>
  text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ({ node: word.replace('-', '') as NodeId, draining: word.endsWith('-') }));

function choose({ replicas = 1, draining = false, present = '', fitness, ingresses = {}, connections = {} }: World) {
  const chosen = chooseGateways({
    replicas,
    draining,
    present: parsed(present),
    fitness: (node) => fitness[node] ?? 'gone',
    isDrained: (node) => connections[node] === 0,
    candidates: () =>
      Object.keys(fitness)
        .filter((node) => fitness[node] === 'fit')
        .map((node) => ({ node: node as NodeId, name: node, ingresses: ingresses[node] ?? 0 })),
  });
  return chosen.map((gateway) => `${gateway.node}${gateway.draining ? '-' : ''}`).join(' ');
}

describe('the gateways of an ingress', () => {
  it('are as many as it has replicas, those with the fewest ingresses first, then by name', () => {
    const fitness = { c: 'fit', b: 'fit', a: 'fit', d: 'leaving' } as const;
    assert.equal(choose({ fitness, replicas: 2, ingresses: { a: 3 } }), 'b c');
    assert.equal(choose({ fitness, replicas: 9 }), 'a b c');
  });

  it('go on while they are fit, though other nodes have less to do', () => {
    assert.equal(choose({ present: 'b', fitness: { a: 'fit', b: 'fit' }, ingresses: { b: 9 } }), 'b');
  });

  it('are replaced at once when they are gone', () => {
    assert.equal(choose({ present: 'b', fitness: { a: 'fit' }, connections: { b: 5 } }), 'a');
    assert.equal(choose({ present: 'b', fitness: {} }), '');
  });

  it('that have to leave are replaced, and stay until they are draining and have no connection', () => {
    const fitness = { a: 'fit', b: 'leaving' } as const;
    assert.equal(choose({ present: 'b', fitness, connections: { b: 0 } }), 'b- a', 'that count is from before');
    assert.equal(choose({ present: 'b- a', fitness, connections: { b: 2 } }), 'b- a');
    assert.equal(choose({ present: 'b- a', fitness }), 'b- a', 'nothing said is not none');
    assert.equal(choose({ present: 'b- a', fitness, connections: { b: 0 } }), 'a');
  });

  it('that may stay after all take their place again, unless it was taken', () => {
    const fitness = { a: 'fit', b: 'fit' } as const;
    assert.equal(choose({ present: 'b-', fitness }), 'b');
    assert.equal(choose({ present: 'b- a', fitness }), 'b- a');
    assert.equal(choose({ present: 'b- a', fitness, connections: { b: 0 } }), 'a');
  });

  it('that are too many drain', () => {
    const fitness = { a: 'fit', b: 'fit' } as const;
    assert.equal(choose({ present: 'a b', fitness, replicas: 1 }), 'a b-');
  });

  it('of an ingress that drains all stay and drain, and no other is chosen', () => {
    const world = { draining: true, replicas: 3, fitness: { a: 'fit', b: 'fit', c: 'leaving' } } as const;
    assert.equal(choose({ ...world, present: 'a c' }), 'a- c-');
    assert.equal(choose({ ...world, present: 'a- c-', connections: { a: 0, c: 0 } }), 'a-');
    assert.equal(choose({ ...world, present: 'a-', draining: false, replicas: 1 }), 'a');
  });

  const node = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const world = fc.record({
    replicas: fc.integer({ min: 1, max: 3 }),
    draining: fc.boolean(),
    present: fc
      .uniqueArray(fc.tuple(node, fc.boolean()), { selector: ([name]) => name })
      .map((list) => list.map(([name, draining]) => `${name}${draining ? '-' : ''}`).join(' ')),
    fitness: fc.dictionary(node, fc.constantFrom<Fitness>('fit', 'leaving', 'gone')),
    ingresses: fc.dictionary(node, fc.nat(3)),
    connections: fc.dictionary(node, fc.nat(2)),
  });

  it('never are gone, nor more than the replicas; are too few only when no other is fit; and settle at once', () => {
    fc.assert(
      fc.property(world, (given) => {
        const chosen = choose(given);
        const gateways = parsed(chosen);
        const serving = gateways.filter(({ draining }) => !draining);
        assert.equal(new Set(gateways.map((gateway) => gateway.node)).size, gateways.length);
        for (const gateway of gateways) assert.ok((given.fitness[gateway.node] ?? 'gone') !== 'gone');
        for (const gateway of serving) assert.equal(given.fitness[gateway.node], 'fit');
        const fit = Object.values(given.fitness).filter((fitness) => fitness === 'fit').length;
        assert.equal(serving.length, given.draining ? 0 : Math.min(given.replicas, fit));
        assert.equal(choose({ ...given, present: chosen, connections: {} }), chosen);
      }),
    );
  });

  it('that serve and are fit never change places with others', () => {
    fc.assert(
      fc.property(world, (given) => {
        const chosen = parsed(choose({ ...given, draining: false }));
        const stay = parsed(given.present).filter((one) => !one.draining && given.fitness[one.node] === 'fit');
        for (const one of stay.slice(0, given.replicas)) {
          assert.ok(chosen.some((other) => other.node === one.node && !other.draining));
        }
      }),
    );
  });
});

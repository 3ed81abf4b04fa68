/** Which tests fail, by cohorts, is what it is pair by pair. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { someDocument, someLapsed, someNodes } from '../../test/policy-arbitraries.ts';
import { allowedBetween, type ReferenceMesh } from '../../test/reference-engine.ts';
import { covers, parseAllow } from '../document/allow.ts';
import { Engine } from '../engine/engine.ts';
import { PolicyIndex } from '../explain/policy-index.ts';
import type { PolicyNode } from '../policy-node.ts';
import { runTests } from './run-tests.ts';

const port = fc.integer({ min: 1, max: 9 });
const end = fc.constantFrom('group:a', 'group:b', 'group:c', 'group:d', 'node-0', 'node-3');

test('a test fails by cohorts when it fails for a pair of nodes, and the pairs are counted right', () => {
  const seen = { held: 0, failed: 0 };
  fc.assert(
    fc.property(
      someDocument,
      someLapsed,
      someNodes,
      fc.record({ from: end, to: end, port }),
      (policy, lapsed, some, ask) => {
        const nodes = some.map((node, index) => ({ ...node, name: `node-${index}`, fresh: true }));
        const to = `${ask.to}:tcp:${ask.port}`;
        const tests = [
          { from: ask.from, allow: [to], deny: [] },
          { from: ask.from, allow: [], deny: [to] },
        ];
        const mesh = { document: { ...policy, tests }, nodes, lapsed };
        const ids = new Map(nodes.map(({ name, id }) => [name, id]));
        const failed = runTests(Engine.compile(mesh), {
          byName: (name) => ids.get(name),
          byAddress: () => undefined,
          names: () => ids.keys(),
        });
        const [sources, targets] = [named(mesh, ask.from), named(mesh, ask.to)];
        if (sources.length === 0 || targets.length === 0) return;
        const { open, shut } = count(mesh, { sources, targets, port: ask.port });
        for (const [index, wrong] of [shut, open].entries()) {
          const detail = failed.find((one) => one.test === index)?.detail;
          seen[detail === undefined ? 'held' : 'failed']++;
          assert.equal(detail === undefined ? 0 : pairsIn(detail), wrong, detail ?? 'it holds');
        }
      },
    ),
    { numRuns: 600 },
  );
  assert.ok(seen.held > 50 && seen.failed > 50, JSON.stringify(seen));
});

function named({ document, nodes }: ReferenceMesh, text: string): readonly PolicyNode[] {
  const index = PolicyIndex.of(document);
  return nodes.filter((node) =>
    text.startsWith('group:') ? index.groupsOf(node).has(text.slice('group:'.length)) : node.name === text,
  );
}

interface Asked {
  readonly sources: readonly PolicyNode[];
  readonly targets: readonly PolicyNode[];
  readonly port: number;
}

function count(mesh: ReferenceMesh, { sources, targets, port: wanted }: Asked): Record<'open' | 'shut', number> {
  const counts = { open: 0, shut: 0 };
  for (const source of sources) {
    for (const target of targets) {
      if (source.id === target.id) continue;
      const grants = allowedBetween(mesh, source, target).filter(({ behind }) => behind === undefined);
      const allows = grants.flatMap(({ grant }) => grant.allow.flatMap((text) => parseAllow(text) ?? []));
      counts[covers(allows, 'tcp', wanted) ? 'open' : 'shut']++;
    }
  }
  return counts;
}

/** How many pairs a sentence speaks of. */
function pairsIn(detail: string): number {
  const more = / (\d+) more pairs?\.$/.exec(detail)?.[1] ?? '0';
  return [...detail.matchAll(/from \S+ to /g)].length + Number(more);
}

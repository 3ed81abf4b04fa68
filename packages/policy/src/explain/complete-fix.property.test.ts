/** Everything that the first fix of an answer says is done, on meshes with any number of things wrong. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { build, someSituation } from '../../test/explain-situations.ts';
import type { Draft } from '../../test/policy-advice.ts';
import { afterAll } from '../../test/whole-advice.ts';
import { explain } from './explain.ts';

test('the first fix is complete: after all of its steps the verdict is allowed', () => {
  const seen = { one: 0, several: 0 };
  fc.assert(
    fc.property(someSituation, (given) => {
      // No two nodes of a mesh have one name, and a grant that is not there has not lapsed.
      const nodes = given.nodes.map((node, place) => ({ ...node, name: `n${place}` }));
      const lapsed = new Set([...given.lapsed].filter((place) => place < given.document.grants.length));
      const asides = given.asides.map((one) => ({ ...one, hidden: false }));
      const { facts, mesh, all } = build({
        ...given,
        nodes,
        lapsed,
        asides,
        document: { ...given.document, tests: [] },
      });
      const answer = explain(facts);
      if (answer.verdict === 'allowed') return;
      const members = new Set(mesh.nodes.map(({ id }) => id));
      const outside = [...all.values()].filter(({ id }) => !members.has(id));
      const everybody = [...mesh.nodes, ...outside.map((node) => ({ ...node, fresh: true, provides: [], shares: [] }))];
      const draft: Draft = { document: mesh.document, nodes: everybody, members, lapsed };
      const then = afterAll(facts, answer, draft);
      if (then === undefined) return;
      const { verdict, reason } = explain(then);
      assert.equal(verdict, 'allowed', `${answer.reason}\n${answer.fix[0]}\nand then: ${reason}`);
      seen[answer.fix[0]?.includes('\n') === true ? 'several' : 'one']++;
    }),
    { numRuns: 1500 },
  );
  assert.ok(Math.min(...Object.values(seen)) > 50, JSON.stringify(seen));
});

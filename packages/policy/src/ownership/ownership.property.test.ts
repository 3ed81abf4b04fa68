import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { someDocument, someNodes } from '../../test/policy-arbitraries.ts';
import { allowedBetween } from '../../test/reference-engine.ts';
import { isWithin } from '../document/selector.ts';
import type { PolicyNode } from '../policy-node.ts';
import { Ownership } from './ownership.ts';

const someScope = fc
  .record({
    team: fc.constantFrom('p', 'q', '*'),
    surface: fc.constantFrom('p', '*'),
    environment: fc.constantFrom('q', '*'),
  })
  .filter(({ team, surface, environment }) => team !== '*' || surface !== '*' || environment !== '*');
const someTag = fc.constantFrom('role:x', 'role:y', 'red', 'blue');

describe('a tag that a scope may set without being its owner', () => {
  it('opens nothing between a node inside the scope and a node outside it', () => {
    let tried = 0;
    const property = fc.property(someDocument, someNodes, someScope, someTag, (document, nodes, scope, tag) => {
      const node = nodes.find(({ tags, boundary }) => isWithin(scope, boundary) && !tags.includes(tag));
      if (node === undefined || !new Ownership(document).tag(scope, tag).allowed) return;
      const tagged = { ...node, tags: [...node.tags, tag] };
      const mesh = { document, nodes, lapsed: new Set<number>() };
      for (const peer of nodes) {
        if (isWithin(scope, peer.boundary)) continue;
        tried++;
        const between = (one: PolicyNode) => [
          allowedBetween(mesh, one, peer).map(({ index, behind }) => [index, behind]),
          allowedBetween(mesh, peer, one).map(({ index, behind }) => [index, behind]),
        ];
        assert.deepEqual(between(tagged), between(node));
      }
    });
    fc.assert(property, { numRuns: 3_000 });
    assert.ok(tried > 100, `only ${tried} pairs were tried`);
  });

  it('is one for every wider scope too', () => {
    const wider = fc.record({ team: fc.boolean(), surface: fc.boolean(), environment: fc.boolean() });
    const property = fc.property(someDocument, someScope, wider, someTag, (document, scope, widened, tag) => {
      const ownership = new Ownership(document);
      if (!ownership.tag(scope, tag).allowed) return;
      const outer = {
        team: widened.team ? '*' : scope.team,
        surface: widened.surface ? '*' : scope.surface,
        environment: widened.environment ? '*' : scope.environment,
      };
      assert.ok(ownership.tag(outer, tag).allowed);
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FirewallRule, rulesFor } from '@meshwork/policy';
import fc from 'fast-check';
import type { NodeDocument } from '../kinds/nodes.ts';
import { HoldingRules } from './holding-rules.ts';
import { boundaryOfNode } from './node-state.ts';

const SELECTORS = [
  '*',
  'tag:role:git',
  'tag:team:platform',
  'tag:edge',
  'node:git-1',
  'node:web-1',
  'scope:platform/*/*',
  'scope:*/git/production',
  'scope:*/*/*',
  'scope:other/git/*',
];
const TAGS = ['role:git', 'team:platform', 'team:other', 'surface:git', 'env:production', 'edge'];

const ruleList = fc
  .array(fc.record({ nodes: fc.subarray(SELECTORS, { minLength: 1, maxLength: 3 }), enabled: fc.boolean() }))
  .map((some) => some.map((one, place) => ({ id: `rule-${place}`, ...one }) as unknown as FirewallRule));
const nodeList = fc.array(
  fc.record({ name: fc.constantFrom('git-1', 'web-1', 'git-2'), tags: fc.shuffledSubarray(TAGS) }),
  { minLength: 1, maxLength: 10 },
);

describe('which rules hold for which node', () => {
  it('is what `rulesFor` says, and equal lists are one list', () => {
    fc.assert(
      fc.property(ruleList, nodeList, (rules, nodes) => {
        const holding = new HoldingRules(rules);
        const lists = new Map<string, readonly FirewallRule[]>();
        for (const { name, tags } of nodes) {
          const node = { name, tags } as unknown as NodeDocument;
          const list = holding.of(node);
          assert.deepEqual(list, rulesFor({ name, tags, boundary: boundaryOfNode(node) }, rules));
          const key = list.map(({ id }) => id).join();
          assert.equal(lists.get(key) ?? list, list);
          lists.set(key, list);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('is asked of checked rules only', () => {
    const wrong = { id: 'rule-0', nodes: ['group:ops'], enabled: true } as unknown as FirewallRule;
    assert.throws(() => new HoldingRules([wrong]), /group:ops/);
  });
});

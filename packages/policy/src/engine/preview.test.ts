import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { someDocument, someLapsed, someNodes } from '../../test/policy-arbitraries.ts';
import { type ReferenceMesh, referenceDifference } from '../../test/reference-engine.ts';
import { referenceOpens } from '../../test/reference-preview.ts';
import { shortNode, tagged } from '../../test/short-node.ts';
import type { Grant } from '../document/document.ts';
import type { PolicyNode } from '../policy-node.ts';
import { Engine } from './engine.ts';
import type { Flow } from './flows.ts';
import { preview } from './preview.ts';

const GROUPS = { dev: ['tag:dev'], git: ['tag:git'], web: ['tag:web'], empty: [] };
const NODES = [...tagged('dev', 'l1', 'l2'), ...tagged('git', 'g1', 'g2', 'g3')];

test('a new grant opens its flow between every source and every destination', () => {
  const { opens, closes, touched } = edit([], [grant('dev', 'git', 'tcp:22')]);
  assert.deepEqual(opens, [{ from: 'dev', to: 'git', allow: 'tcp:22', pairs: 6 }]);
  assert.deepEqual(closes, []);
  assert.deepEqual(touched.toSorted(), ['g1', 'g2', 'g3', 'l1', 'l2']);
});

test('a grant that goes closes its flow, and leaves what another one allows', () => {
  const { opens, closes } = edit([grant('dev', 'git', 'tcp:22', 'tcp:80')], [grant('dev', 'git', 'tcp:80')]);
  assert.deepEqual(opens, []);
  assert.deepEqual(closes, [{ from: 'dev', to: 'git', allow: 'tcp:22', pairs: 6 }]);
});

test('a range that widens opens only what is new of it', () => {
  const { opens } = edit([grant('dev', 'git', 'tcp:100-200')], [grant('dev', 'git', 'tcp:50-300')]);
  assert.deepEqual(
    opens.map(({ allow, pairs }) => [allow, pairs]),
    [
      ['tcp:50-99', 6],
      ['tcp:201-300', 6],
    ],
  );
});

test('a group to itself counts no node with itself', () => {
  assert.deepEqual(edit([], [grant('git', 'git', 'icmp')]).opens, [
    { from: 'git', to: 'git', allow: 'icmp', pairs: 6 },
  ]);
});

test('a grant that says what another one says opens nothing, and is listed without pairs', () => {
  const { opens, touched } = edit(
    [grant('dev', 'git', '*')],
    [grant('dev', 'git', '*'), grant('dev', 'all', 'tcp:22')],
    {
      all: ['tag:git'],
    },
  );
  assert.deepEqual(opens, [{ from: 'dev', to: 'all', allow: 'tcp:22', pairs: 0 }]);
  assert.deepEqual(touched, []);
});

test('a grant for a group without members is listed without pairs', () => {
  assert.deepEqual(edit([], [grant('empty', 'git', 'tcp:22')]).opens, [
    { from: 'empty', to: 'git', allow: 'tcp:22', pairs: 0 },
  ]);
});

test('grants that only change places, or are split, open and close nothing', () => {
  const [one, other] = [grant('dev', 'git', 'tcp:22-23'), grant('git', 'dev', 'icmp')];
  const after = [other, grant('dev', 'git', 'tcp:22'), grant('dev', 'git', 'tcp:23')];
  assert.deepEqual(edit([one, other], after), { opens: [], closes: [], touched: [] });
});

test('a group that grows opens what its grants allow, and touches no node that it does not affect', () => {
  const grants = [grant('dev', 'git', 'tcp:22'), grant('dev', 'dev', 'icmp')];
  const nodes = [...NODES, ...tagged('web', 'w1'), ...tagged('other', 'w2')];
  const before = engineOf(GROUPS, grants, nodes);
  const after = engineOf({ ...GROUPS, git: ['tag:git', 'tag:web'] }, grants, nodes);
  const { opens, closes, touched } = preview(before, after);
  assert.deepEqual(opens, [{ from: 'dev', to: 'git', allow: 'tcp:22', pairs: 2 }]);
  assert.deepEqual(closes, []);
  assert.deepEqual(touched.toSorted(), ['l1', 'l2', 'w1']);
});

test('a network that narrows closes the wider one and opens nothing', () => {
  const gateway = shortNode({ name: 'gw', provides: ['10.0.0.0/8'] });
  const before = engineOf(GROUPS, [grant('dev', '10.0.0.0/8', 'tcp:443')], [...NODES, gateway]);
  const after = engineOf(GROUPS, [grant('dev', '10.1.0.0/16', 'tcp:443')], [...NODES, gateway]);
  const { opens, closes } = preview(before, after);
  assert.deepEqual(closes, [{ from: 'dev', to: '10.0.0.0/8', allow: 'tcp:443', pairs: 2 }]);
  assert.deepEqual(opens, [{ from: 'dev', to: '10.1.0.0/16', allow: 'tcp:443', pairs: 0 }]);
});

test('flows stand in the order of the document, and their items in canonical order', () => {
  const { opens } = edit([], [grant('git', 'dev', 'udp:53', 'tcp:1000', 'tcp:99', 'icmp'), grant('dev', 'git', '*')]);
  assert.deepEqual(
    opens.map(({ from, allow }) => `${from} ${allow}`),
    ['git icmp', 'git tcp:99', 'git tcp:1000', 'git udp:53', 'dev *'],
  );
});

test('a preview counts what can be counted node by node', () => {
  const someMesh = fc.record({ document: someDocument, nodes: someNodes, lapsed: someLapsed });
  const someEdit = fc.record({ document: someDocument, lapsed: someLapsed }, { requiredKeys: [] });
  const property = fc.property(someMesh, someEdit, (before, changed) => {
    const after: ReferenceMesh = { ...before, ...changed };
    const { opens, closes, touched } = preview(Engine.compile(before), Engine.compile(after));
    assert.deepEqual(counted(opens), new Map([...referenceOpens(before, after)].sort()));
    assert.deepEqual(counted(closes), new Map([...referenceOpens(after, before)].sort()));
    const expected = before.nodes.filter(({ id }) => {
      const { lost, gained, terms } = referenceDifference(before, after, id);
      return lost.length + gained.length + terms.length > 0;
    });
    assert.deepEqual(touched.toSorted(), expected.map(({ id }) => id).sort());
  });
  fc.assert(property, { numRuns: 300 });
});

function counted(flows: readonly Flow[]): ReadonlyMap<string, number> {
  const entries = flows.map(({ from, to, allow, pairs }) => [`${from} -> ${to} ${allow}`, pairs] as const);
  return new Map(entries.toSorted());
}

function edit(before: readonly Grant[], after: readonly Grant[], more: Record<string, readonly string[]> = {}) {
  return preview(engineOf({ ...GROUPS, ...more }, before, NODES), engineOf({ ...GROUPS, ...more }, after, NODES));
}

function engineOf(
  groups: Readonly<Record<string, readonly string[]>>,
  grants: readonly Grant[],
  nodes: readonly PolicyNode[],
): Engine {
  return Engine.compile({ document: { groups, grants, tests: [], stale: 'keep' }, nodes, lapsed: new Set() });
}

function grant(from: string, to: string, ...allow: readonly string[]): Grant {
  return { from, to, allow };
}

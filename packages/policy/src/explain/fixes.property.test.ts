/** Whatever an answer advises about the policy is done here, to the letter: each piece of it has to be enough by itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { build, someSituation } from '../../test/explain-situations.ts';
import { again, changedBy, type Draft, engineOf, grantIn, stepsOf, written } from '../../test/policy-advice.ts';
import type { PolicyTest } from '../document/document.ts';
import { type FailedTest, runTests } from '../policy-tests/run-tests.ts';
import { explain } from './explain.ts';
import type { Explanation } from './explanation.ts';

const EVERYBODY: readonly string[] = ['*', 'scope:*/*/*'];
const ends = fc.constantFrom('group:a', 'group:b', 'group:c', 'n0', 'n1', 'n2', 'n3');
const what = fc.oneof(
  fc.constant('icmp'),
  fc.integer({ min: 1, max: 9 }).map((port) => `tcp:${port}`),
);
const someTests: fc.Arbitrary<readonly PolicyTest[]> = fc.array(
  fc.tuple(ends, ends, what).map(([from, to, port]) => ({ from, allow: [], deny: [`${to}:${port}`] })),
  { maxLength: 16, size: 'max' },
);

test('each piece of advice about the policy is enough by itself, and opens no more than was asked for', () => {
  const seen = { grant: 0, change: 0, several: 0, despite: 0, kept: 0 };
  const situation = fc.tuple(someSituation, someTests);
  fc.assert(
    fc.property(situation, ([given, tests]) => {
      // No two nodes of a mesh have one name, and a grant that is not there has not lapsed.
      const names = given.nodes.map(({ name }) => name);
      const nodes = given.nodes.map((node, place) =>
        names.indexOf(node.name) === place ? node : { ...node, name: `${node.name}-${place}` },
      );
      const lapsed = new Set([...given.lapsed].filter((place) => place < given.document.grants.length));
      const { facts, mesh, all } = build({ ...given, nodes, lapsed, document: { ...given.document, tests } });
      const members = new Set(mesh.nodes.map(({ id }) => id));
      const outside = [...all.values()].filter(({ id }) => !members.has(id));
      const everybody = [...mesh.nodes, ...outside.map((node) => ({ ...node, fresh: true, provides: [], shares: [] }))];
      const draft: Draft = { document: mesh.document, nodes: everybody, members, lapsed };
      const answer = explain(facts);
      if ((outcomeOf(answer) ?? 'pass') === 'pass') return;
      for (const fix of answer.fix.flatMap(stepsOf)) {
        const grant = grantIn(fix);
        const changed = grant === undefined ? changedBy(fix, draft, answer) : written(fix, grant, draft);
        if (changed === undefined) continue;
        seen[grant === undefined ? 'change' : 'grant']++;
        if (grant === undefined && fix.includes(', and ')) seen.several++;
        const then = again(facts, answer, woken(changed, answer));
        if (hasAppeared(answer, then)) continue;
        assert.equal(outcomeOf(then), 'pass', `${fix} does not help`);
        if (grant === undefined) continue;
        assert.deepEqual(grant.allow, [answer.port]);
        assert.ok(!isEverybody(grant.from, draft) && !isEverybody(grant.to, draft), `${fix} is for everybody`);
        if (grant.within !== undefined) seen.kept++;
        if (fix.includes('though a test')) seen.despite++;
        else if (facts.whole_policy) checkTests(draft, changed, fix);
      }
    }),
    { numRuns: 4000 },
  );
  assert.ok(Math.min(...Object.values(seen)) > 0, JSON.stringify(seen));
});

function outcomeOf({ steps }: Explanation): string | undefined {
  return steps.find(({ check }) => check === 'grant')?.outcome;
}

/** Where no node forwarded and now a hidden node does, its boundary may require more, which the first answer could not know. */
function hasAppeared(answer: Explanation, then: Explanation): boolean {
  const routed = ({ steps }: Explanation) => steps.find(({ check }) => check === 'route')?.outcome;
  return routed(answer) !== 'pass' && routed(then) === 'pass' && then.to.id === null;
}

/** That an offline source has to come back is a fix of its own, and a condition of all others. */
function woken(draft: Draft, { fix, from }: Explanation): Draft {
  if (!fix.flatMap(stepsOf).some((text) => text.startsWith(`Find out why ${from.name} is offline`))) return draft;
  return { ...draft, nodes: draft.nodes.map((node) => (node.id === from.id ? { ...node, fresh: true } : node)) };
}

function isEverybody(group: string, draft: Draft): boolean {
  return (draft.document.groups[group] ?? []).some(
    (text) =>
      EVERYBODY.includes(text) || (text.startsWith('group:') && isEverybody(text.slice('group:'.length), draft)),
  );
}

/** A grant that is advised without a word about tests breaks none. Who is dropped while silent is out of sight of it. */
function checkTests(before: Draft, after: Draft, fix: string): void {
  if (before.document.stale === 'drop') return;
  const failing = (draft: Draft) => new Set(testsOf(draft).map(({ test: place }) => place));
  const [broken, known] = [failing(after), failing(before)];
  assert.deepEqual([...broken.difference(known)], [], `${fix} breaks a test`);
}

function testsOf(draft: Draft): readonly FailedTest[] {
  const nodes = draft.nodes.map((node) => ({ ...node, fresh: true }));
  return runTests(engineOf({ ...draft, nodes }), {
    byName: (name) => nodes.find((node) => node.name === name)?.id,
    byAddress: () => undefined,
    names: () => [],
  });
}

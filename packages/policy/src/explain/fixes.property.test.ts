/** Whatever an answer advises about the policy is done here, to the letter: each piece of it has to be enough by itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { build, someSituation } from '../../test/explain-situations.ts';
import type { Grant, PolicyDocument, PolicyTest } from '../document/document.ts';
import { Engine } from '../engine/engine.ts';
import type { PolicyNode } from '../policy-node.ts';
import { type FailedTest, runTests } from '../policy-tests/run-tests.ts';
import { explain } from './explain.ts';
import type { Explanation } from './explanation.ts';
import type { ExplainFacts } from './facts.ts';
import { parseWanted } from './wanted.ts';

/** What there is to change, as a person would find it. */
interface Draft {
  readonly document: PolicyDocument;
  /** With those that are not let in: what is advised about them is for the day that they are. */
  readonly nodes: readonly PolicyNode[];
  readonly members: ReadonlySet<string>;
  readonly lapsed: ReadonlySet<number>;
}

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
      if (outcomeOf(answer) !== 'fail') return;
      for (const fix of answer.fix) {
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
  return routed(answer) === 'fail' && routed(then) === 'pass' && then.to.id === null;
}

/** The same question, of the same two ends. */
function again(facts: ExplainFacts, { to, port }: Explanation, draft: Draft): Explanation {
  const { source, destination, question } = facts;
  const fresh = <Facts extends { readonly id: string }>(node: Facts): Facts => {
    const tags = draft.nodes.find(({ id }) => id === node.id);
    return tags === undefined ? node : { ...node, tags: tags.tags, agent_version: tags.agent_version };
  };
  const chosen = destination.kind === 'service' && destination.candidates.find(({ node }) => node.id === to.id);
  return explain({
    ...facts,
    engine: engineOf(draft),
    question: { ...question, port: parseWanted(port) ?? null },
    source: source.kind === 'node' ? fresh(source) : source,
    destination: chosen
      ? { kind: 'node', families: [4], ...chosen, node: fresh(chosen.node) }
      : destinationWith(fresh, destination),
  });
}

function destinationWith(
  fresh: <Facts extends { readonly id: string }>(node: Facts) => Facts,
  destination: ExplainFacts['destination'],
): ExplainFacts['destination'] {
  if (destination.kind === 'node') return { ...destination, node: fresh(destination.node) };
  if (destination.kind !== 'address') return destination;
  return { ...destination, providers: destination.providers.map((one) => ({ ...one, node: fresh(one.node) })) };
}

/** That an offline source has to come back is a fix of its own, and a condition of all others. */
function woken(draft: Draft, { fix, from }: Explanation): Draft {
  if (!fix.some((text) => text.startsWith(`Find out why ${from.name} is offline`))) return draft;
  return { ...draft, nodes: draft.nodes.map((node) => (node.id === from.id ? { ...node, fresh: true } : node)) };
}

function grantIn(fix: string): Grant | undefined {
  const text = /\{"from": .*?\]\}/.exec(fix)?.[0];
  return text === undefined ? undefined : JSON.parse(text);
}

function written(fix: string, grant: Grant, draft: Draft): Draft {
  const groups: PolicyDocument['groups'] = JSON.parse(`{${/, and with it the groups? (.*)\.$/.exec(fix)?.[1] ?? ''}}`);
  for (const name of Object.keys(groups)) assert.ok(!Object.hasOwn(draft.document.groups, name), `${name} is taken`);
  const { document } = draft;
  return {
    ...draft,
    document: { ...document, groups: { ...document.groups, ...groups }, grants: [...document.grants, grant] },
  };
}

/** Undefined: it is not about the policy, or not for this caller. */
function changedBy(fix: string, draft: Draft, answer: Explanation): Draft | undefined {
  const clauses = fix.replace(/(, though a test .*)?\.$/, '').split(', and ');
  return clauses.reduce<Draft | undefined>((so, clause) => so && step(clause, so, answer), draft);
}

function step(clause: string, draft: Draft, { from, to }: Explanation): Draft | undefined {
  const { document, nodes, lapsed } = draft;
  const isNamed = ({ id, name }: PolicyNode, wanted?: string) => name === wanted && (id === from.id || id === to.id);
  const nodesWith = (name: string | undefined, change: (node: PolicyNode) => PolicyNode): Draft => {
    return { ...draft, nodes: nodes.map((node) => (isNamed(node, name) ? change(node) : node)) };
  };
  const isCalled = (grant: Grant, name: string | undefined) => `${grant.from} -> ${grant.to}` === name;
  const [, node, tag] = /^give (\S+) the tag (\S+?)(?:, which makes it one of \S+)?$/i.exec(clause) ?? [];
  if (tag !== undefined) return nodesWith(node, (one) => ({ ...one, tags: [...one.tags, tag] }));
  const [, late, version] = /^update the agent on (\S+) to (\S+) or later$/i.exec(clause) ?? [];
  if (version !== undefined) return nodesWith(late, (one) => ({ ...one, agent_version: version }));
  const [, member, group = ''] =
    /^(?:add "node:|ask an operator who can change the policy to add )([^\s"]+)"? to the group (\S+)$/i.exec(clause) ??
    [];
  if (member !== undefined) {
    const selectors = [...(document.groups[group] ?? []), `node:${member}`];
    return { ...draft, document: { ...document, groups: { ...document.groups, [group]: selectors } } };
  }
  const [, port, opened] = /^add "(\S+)" to the grant (.+)$/i.exec(clause) ?? [];
  if (port !== undefined) {
    const grants = document.grants.map((one) =>
      isCalled(one, opened) ? { ...one, allow: [...one.allow, port] } : one,
    );
    return { ...draft, document: { ...document, grants } };
  }
  const [, shared = '', sharing] =
    /^approve (\S+) on (\S+) for the whole mesh \(mesh node routes --share\)$/i.exec(clause) ?? [];
  if (sharing !== undefined) return nodesWith(sharing, (one) => ({ ...one, shares: [...one.shares, shared] }));
  const [, expired] = /^give the grant (.+) a later "expires", or none$/i.exec(clause) ?? [];
  if (expired === undefined) return undefined;
  const left = [...lapsed].filter((place) => {
    const grant = document.grants[place];
    return grant !== undefined && !isCalled(grant, expired);
  });
  return { ...draft, lapsed: new Set(left) };
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

function engineOf(draft: Draft): Engine {
  return Engine.compile({ ...draft, nodes: draft.nodes.filter(({ id }) => draft.members.has(id)) });
}

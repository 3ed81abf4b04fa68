import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortNode, tagged } from '../../test/short-node.ts';
import type { PolicyDocument } from '../document/document.ts';
import type { PolicyNode } from '../policy-node.ts';
import type { Cohort } from './cohort.ts';
import { Engine } from './engine.ts';

const GROUPS = { dev: ['tag:dev'], git: ['tag:git'], all: ['*'] };
const SSH = { from: 'dev', to: 'git', allow: ['tcp:22'] };

test('a full mesh is one cohort, which is its own peer', () => {
  const nodes = Array.from({ length: 1000 }, (_, index) => shortNode({ name: `n${index}`, tags: [`t${index}`] }));
  const engine = engineOf({ grants: [{ from: 'all', to: 'all', allow: ['*'] }] }, nodes);
  const [cohort, ...others] = engine.cohorts();
  assert.ok(cohort);
  assert.equal(others.length, 0);
  assert.equal(cohort.members.size, 1000);
  assert.deepEqual(engine.peersOf(cohort), [cohort]);
});

test('nodes that the policy cannot tell apart are of one cohort', () => {
  const engine = engineOf({ grants: [SSH, { from: 'git', to: 'dev', allow: ['icmp'] }] }, [
    shortNode({ name: 'a', tags: ['dev', 'git'], agent_version: '1.0.0', boundary: 'x/y/z' }),
    shortNode({ name: 'b', tags: ['git', 'blue', 'dev'], fresh: false, provides: ['10.0.0.0/8'] }),
  ]);
  assert.equal(engine.cohortOf('a'), engine.cohortOf('b'));
});

test('what a condition asks for tells nodes apart, also when it says no more than whether it holds', () => {
  const engine = engineOf({ grants: [{ ...SSH, when: { agent_version: '1.4.0' } }] }, [
    shortNode({ name: 'old', tags: ['dev'], agent_version: '1.3.0' }),
    shortNode({ name: 'new', tags: ['dev'], agent_version: '1.4.0' }),
    shortNode({ name: 'newest', tags: ['dev'], agent_version: '1.10.0' }),
  ]);
  assert.notEqual(engine.cohortOf('old'), engine.cohortOf('new'));
  assert.equal(engine.cohortOf('new'), engine.cohortOf('newest'));
});

test('boundaries tell apart only those whom a grant within boundaries concerns', () => {
  const engine = engineOf({ grants: [{ ...SSH, within: 'boundary' }] }, [
    ...['a/s/p', 'b/s/p'].map((boundary) => shortNode({ name: `dev-${boundary[0]}`, tags: ['dev'], boundary })),
    ...['a/s/p', 'b/s/p'].map((boundary) => shortNode({ name: `web-${boundary[0]}`, tags: ['web'], boundary })),
  ]);
  assert.notEqual(engine.cohortOf('dev-a'), engine.cohortOf('dev-b'));
  assert.equal(engine.cohortOf('web-a'), engine.cohortOf('web-b'));
});

test('a node comes, stays, changes and goes', () => {
  const engine = engineOf({ grants: [SSH] }, tagged('git', 'g'));
  const [asDev, asGit] = [shortNode({ name: 'n', tags: ['dev'] }), shortNode({ name: 'n', tags: ['git'] })];
  const came = engine.set(asDev);
  assert.equal(came?.from, undefined);
  assert.equal(came?.to, engine.cohortOf('n'));
  assert.equal(engine.set({ ...asDev, tags: ['dev', 'blue'] }), undefined);
  assert.deepEqual(engine.nodeOf('n')?.tags, ['dev', 'blue']);
  assert.deepEqual(engine.set(asGit), { from: came?.to, to: engine.cohortOf('g') });
  assert.deepEqual(engine.delete('n'), { from: engine.cohortOf('g'), to: undefined });
  assert.equal(engine.nodeOf('n'), undefined);
  assert.equal(engine.delete('n'), undefined);
});

test('a node that goes silent leaves the mesh when the policy drops such nodes, and is still known', () => {
  const engine = engineOf({ grants: [SSH], stale: 'drop' }, tagged('dev', 'n'));
  const cohort = engine.cohortOf('n');
  assert.deepEqual(engine.set(shortNode({ name: 'n', tags: ['dev'], fresh: false })), { from: cohort, to: undefined });
  assert.equal(engine.cohortOf('n'), undefined);
  assert.equal(engine.nodeOf('n')?.fresh, false);
  assert.equal(engine.set(shortNode({ name: 'n', tags: ['dev'], fresh: false })), undefined);
});

test('a cohort that lost its last member is no peer of any other, and still answers who its peers were', () => {
  const engine = engineOf({ grants: [{ ...SSH, within: 'boundary' }, SSH] }, [
    ...tagged('dev', 'l'),
    ...tagged('git', 'g'),
  ]);
  const [left, stays] = [kept(engine, 'l'), kept(engine, 'g')];
  const terms = engine.terms(stays, left);
  engine.delete('l');
  assert.deepEqual(engine.peersOf(stays), []);
  assert.deepEqual(engine.peersOf(left), [stays]);
  assert.equal(engine.arePeers(left, stays), true);
  assert.equal(engine.terms(stays, left), terms);
});

test('equal terms are the same object, in one engine and in two', () => {
  const nodes = [...tagged('dev', 'l'), ...tagged('git', 'g')];
  const [one, other] = [
    engineOf({ grants: [SSH] }, nodes),
    engineOf({ grants: [{ ...SSH, from: 'all', when: { tag: 'dev' } }] }, nodes),
  ];
  assert.equal(one.terms(kept(one, 'g'), kept(one, 'l')), other.terms(kept(other, 'g'), kept(other, 'l')));
  assert.notEqual(one.terms(kept(one, 'g'), kept(one, 'l')), one.terms(kept(one, 'l'), kept(one, 'g')));
});

test('a cohort of another engine is refused', () => {
  const [one, other] = [engineOf({}, tagged('dev', 'l')), engineOf({}, tagged('dev', 'l'))];
  assert.throws(() => one.peersOf(kept(other, 'l')), /another engine/);
  assert.throws(() => one.terms(kept(one, 'l'), kept(other, 'l')), /another engine/);
});

test('the grants behind an answer stand in the order of the document', () => {
  const toNetwork = { from: 'dev', to: '10.0.0.0/8', allow: ['tcp:443'] };
  const inBoundary = { within: 'boundary' } as const;
  const engine = engineOf(
    { grants: [SSH, { ...toNetwork }, { ...SSH, ...inBoundary }, { ...toNetwork, ...inBoundary }, SSH, toNetwork] },
    [...tagged('dev', 'l'), shortNode({ name: 'g', tags: ['git'], provides: ['10.2.0.0/16', '10.1.0.0/16'] })],
  );
  const [from, to] = [kept(engine, 'l'), kept(engine, 'g')];
  assert.deepEqual(engine.grantsFrom(from, to), [0, 2, 4]);
  assert.deepEqual(
    engine.grantsBehind(from, to).map(({ grant, to: network }) => `${grant} ${network}`),
    ['1 10.1.0.0/16', '1 10.2.0.0/16', '3 10.1.0.0/16', '3 10.2.0.0/16', '5 10.1.0.0/16', '5 10.2.0.0/16'],
  );
  assert.deepEqual(engine.grantsFrom(to, from), []);
});

test('a policy that was not checked is not compiled', () => {
  assert.throws(() => engineOf({ grants: [{ ...SSH, allow: ['ssh'] }] }, []), /ssh/);
  assert.throws(() => engineOf({ grants: [{ ...SSH, to: '10.0.0.1/8' }] }, []), /10\.0\.0\.1\/8/);
  assert.throws(() => engineOf({ groups: { dev: ['dev'] }, grants: [] }, []), /dev/);
});

test('a network that is not in canonical form is refused, rather than matched by no grant', () => {
  const engine = engineOf({ grants: [{ from: 'dev', to: '10.0.0.0/8', allow: ['*'] }] }, []);
  assert.throws(() => engine.set(shortNode({ name: 'gw', provides: ['10.0.0.1/8'] })), /gw provides 10\.0\.0\.1\/8/);
  assert.equal(engine.nodeOf('gw'), undefined);
});

function engineOf(document: Partial<PolicyDocument>, nodes: readonly PolicyNode[]): Engine {
  const usual: PolicyDocument = { groups: GROUPS, grants: [], tests: [], stale: 'keep' };
  return Engine.compile({ document: { ...usual, ...document }, nodes, lapsed: new Set() });
}

function kept(engine: Engine, id: string): Cohort {
  const cohort = engine.cohortOf(id);
  assert.ok(cohort, `${id} has no cohort`);
  return cohort;
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { engineView } from '../../test/engine-view.ts';
import { someDocument, someId, someLapsed, someNode, someNodes } from '../../test/policy-arbitraries.ts';
import {
  allowedBetween,
  type ReferenceDifference,
  type ReferenceMesh,
  type ReferenceView,
  referenceDifference,
  referenceViewOf,
} from '../../test/reference-engine.ts';
import type { PolicyNode } from '../policy-node.ts';
import type { Cohort, Move } from './cohort.ts';
import { difference, idsIn } from './difference.ts';
import { Engine } from './engine.ts';

const someMesh: fc.Arbitrary<ReferenceMesh> = fc.record({
  document: someDocument,
  nodes: someNodes,
  lapsed: someLapsed,
});

const someSteps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ set: someNode }) },
    { weight: 1, arbitrary: fc.record({ delete: someId }) },
  ),
  { minLength: 1, maxLength: 6 },
);

test('after every change of a node, the engine says what the rules say', () => {
  const property = fc.property(someMesh, someSteps, (start, steps) => {
    const engine = Engine.compile(start);
    let mesh = start;
    assertSameViews(engine, mesh);
    for (const step of steps) {
      const id = 'set' in step ? step.set.id : step.delete;
      const before = { mesh, cohort: engine.cohortOf(id), id };
      const move = 'set' in step ? engine.set(step.set) : engine.delete(step.delete);
      const others = mesh.nodes.filter((node) => node.id !== id);
      mesh = { ...mesh, nodes: 'set' in step ? [...others, step.set] : others };
      assert.equal(engine.nodeOf(id), 'set' in step ? step.set : undefined);
      assertMove(engine, before, move);
      assertSameViews(engine, mesh);
      assert.deepEqual(partition(engine), partition(Engine.compile(mesh)));
    }
  });
  fc.assert(property, { numRuns: 600 });
});

test('the grants behind an answer are those of the rules', () => {
  const property = fc.property(someMesh, (mesh) => {
    const engine = Engine.compile(mesh);
    forEachPair(mesh.nodes, (from, to) => {
      const [source, target] = [engine.cohortOf(from.id), engine.cohortOf(to.id)];
      const allowed = allowedBetween(mesh, from, to);
      if (source === undefined || target === undefined) {
        assert.equal(allowed.length, 0);
        return;
      }
      const direct = allowed.filter(({ behind }) => behind === undefined).map(({ index }) => index);
      assert.deepEqual(engine.grantsFrom(source, target), direct);
      const behind = allowed.flatMap(({ index, behind = [] }) =>
        [...new Set(behind)].sort().map((network) => ({ grant: index, to: network })),
      );
      assert.deepEqual(engine.grantsBehind(source, target), behind);
    });
  });
  fc.assert(property, { numRuns: 300 });
});

test('the difference of two engines has exactly the nodes that see something else, and what they see', () => {
  const edit = fc.record({ document: someDocument, lapsed: someLapsed, nodes: someNodes }, { requiredKeys: [] });
  const property = fc.property(someMesh, edit, (before, changed) => {
    const after = { ...before, ...changed };
    const found = new Map<string, ReferenceDifference>();
    for (const change of difference(Engine.compile(before), Engine.compile(after))) {
      for (const id of change.members) {
        assert.ok(!found.has(id), `${id} is in two changes`);
        found.set(id, {
          lost: [...idsIn(change.peers_lost, id)].sort(),
          gained: [...idsIn(change.peers_gained, id)].sort(),
          terms: [...idsIn(change.terms_changed, id)].sort(),
          matches: change.matches_changed,
        });
      }
    }
    for (const id of new Set([...before.nodes, ...after.nodes].map((node) => node.id))) {
      const expected = referenceDifference(before, after, id);
      const { lost, gained, terms, matches } = expected;
      const isTouched = matches || lost.length + gained.length + terms.length > 0;
      assert.deepEqual(found.get(id), isTouched ? expected : undefined, id);
    }
  });
  fc.assert(property, { numRuns: 600 });
});

function assertSameViews(engine: Engine, mesh: ReferenceMesh): void {
  for (const node of mesh.nodes) {
    const [view, expected] = [engineView(engine, node.id), referenceViewOf(mesh, node.id)];
    assert.deepEqual(view, sortedLike(view, expected));
    assert.equal(engine.nodeOf(node.id), node);
    const own = engine.cohortOf(node.id);
    for (const other of mesh.nodes) {
      const theirs = other === node ? undefined : engine.cohortOf(other.id);
      if (own === undefined || theirs === undefined) assert.ok(!expected.terms.has(other.id));
      else assert.equal(engine.arePeers(own, theirs), expected.terms.has(other.id));
    }
  }
}

/** The order of peers means nothing. */
function sortedLike(like: ReferenceView, view: ReferenceView): ReferenceView {
  const order = [...like.terms.keys()];
  const terms = [...view.terms].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return { ...view, terms: new Map(terms) };
}

/** A move names the cohorts of before and after, and what it left behind can still be asked about everybody else. */
function assertMove(
  engine: Engine,
  before: { readonly mesh: ReferenceMesh; readonly cohort: Cohort | undefined; readonly id: string },
  move: Move | undefined,
): void {
  const { mesh, cohort, id } = before;
  const now = engine.cohortOf(id);
  assert.equal(now === cohort, move === undefined);
  if (move === undefined) return;
  assert.equal(move.from, cohort);
  assert.equal(move.to, now);
  if (cohort === undefined) return;
  const was = referenceViewOf(mesh, id);
  const peers = new Set([...engine.peersOf(cohort)].flatMap(({ members }) => [...members]));
  for (const other of mesh.nodes) {
    const theirs = other.id === id ? undefined : engine.cohortOf(other.id);
    if (theirs === undefined) continue;
    assert.equal(peers.has(other.id), was.terms.has(other.id));
    assert.equal(engine.arePeers(cohort, theirs), was.terms.has(other.id));
    if (peers.has(other.id)) assert.deepEqual(engine.terms(cohort, theirs), was.terms.get(other.id));
  }
  assert.deepEqual(engine.matches(cohort), was.matches);
}

function partition(engine: Engine): readonly string[] {
  return [...engine.cohorts()].map(({ members }) => [...members].sort().join()).sort();
}

function forEachPair(nodes: readonly PolicyNode[], visit: (a: PolicyNode, b: PolicyNode) => void): void {
  for (const a of nodes) for (const b of nodes) if (a !== b) visit(a, b);
}

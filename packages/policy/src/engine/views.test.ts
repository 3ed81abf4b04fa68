/**
 * The golden cases of `fixtures/views`: a policy and a mesh, and what every node of it is sent. Their expectations are
 * written by hand from the rules, and both the engine and the reference have to meet them.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { engineView } from '../../test/engine-view.ts';
import { type ReferenceMesh, type ReferenceView, referenceView } from '../../test/reference-engine.ts';
import { type ShortNode, shortNode } from '../../test/short-node.ts';
import { readPolicy } from '../document/read-policy.ts';
import type { Terms } from './cohort.ts';
import { Engine } from './engine.ts';

interface Fixture {
  readonly about: string;
  readonly policy: object;
  readonly nodes: readonly ShortNode[];
  readonly lapsed?: readonly number[];
  readonly views: Readonly<Record<string, ExpectedView>>;
}

interface ExpectedView {
  readonly peers: readonly string[];
  readonly terms: Readonly<Record<string, Terms>>;
  readonly acl_matches: readonly string[];
}

const folder = new URL('../../fixtures/views/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

test('there are golden cases', () => assert.ok(files.length >= 60, `only ${files.length}`));

for (const file of files) {
  const fixture: Fixture = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  test(`${file.replace('.json', '')}: ${fixture.about}`, () => {
    const mesh = meshOf(fixture);
    const engine = Engine.compile(mesh);
    assert.ok(mesh.nodes.length > 0, 'a case without nodes expects nothing');
    assert.deepEqual(Object.keys(fixture.views).sort(), mesh.nodes.map(({ name }) => name).sort());
    for (const node of mesh.nodes) {
      const expected = fixture.views[node.name];
      assert.deepEqual(readable(referenceView(mesh, node)), sorted(expected), `the reference, ${node.name}`);
      assert.deepEqual(readable(engineView(engine, node.id)), sorted(expected), `the engine, ${node.name}`);
    }
  });
}

/** The policy is read as people write it, so that no case is about one that would be refused. */
function meshOf({ policy, nodes, lapsed = [] }: Fixture): ReferenceMesh {
  const reading = readPolicy(JSON.stringify(policy));
  if (!reading.ok) throw new Error(reading.problems.map(({ detail }) => detail).join(' '));
  return { document: reading.document, nodes: nodes.map(shortNode), lapsed: new Set(lapsed) };
}

function readable({ terms, matches }: ReferenceView): ExpectedView {
  return { peers: [...terms.keys()].sort(), terms: Object.fromEntries(terms), acl_matches: matches };
}

/** The order of peers means nothing; that of everything else does. */
function sorted(view: ExpectedView | undefined): ExpectedView | undefined {
  return view && { ...view, peers: view.peers.toSorted() };
}

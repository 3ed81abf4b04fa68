/** Wherever an id of a node or an ingress is taken, its name is, under the same rules. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Ingress, NODE_NAME_PATTERN, newId, OPERATION_IDS, OPERATIONS, type Operation } from '@meshwork/contract';
import { PLATFORM, TestCoordinator } from './harness.ts';
import { TestNode } from './test-node.ts';

const TAGS = ['team:platform', 'surface:git', 'env:production'];
/** By the name of the parameter, whether the node or the ingress is meant, and by which operations. */
const PLACES: readonly { readonly what: 'node' | 'ingress'; readonly is: (id: string, place: string) => boolean }[] = [
  { what: 'node', is: (id, place) => id.startsWith('nodes.') && place === '{id}' },
  { what: 'node', is: (id, place) => id === 'firewall.node' && place === '{id}' },
  { what: 'node', is: (id, place) => id.startsWith('peers.') && (place === '{a}' || place === '{b}') },
  { what: 'node', is: (_, place) => place === '?node' || place === '?gateway' },
  { what: 'ingress', is: (id, place) => id.startsWith('ingress.') && place === '{id}' },
];

interface Place {
  readonly id: string;
  readonly operation: Operation;
  readonly place: string;
  readonly what: 'node' | 'ingress';
}

function places(): Place[] {
  return OPERATION_IDS.flatMap((id) => {
    const operation: Operation = OPERATIONS[id];
    const inPath = [...operation.path.matchAll(/\{\w+\}/g)].map(([text]) => text);
    const inQuery = Object.keys(operation.query?.properties ?? {}).map((name) => `?${name}`);
    return [...inPath, ...inQuery].flatMap((place) => {
      const known = PLACES.find(({ is }) => is(id, place));
      return known === undefined ? [] : [{ id, operation, place, what: known.what }];
    });
  });
}

describe('names in place of ids', () => {
  let mesh: TestCoordinator;
  let narrow: string;
  let node: TestNode;
  let other: TestNode;
  let outside: TestNode;
  let ingress: Ingress;
  const named = { node: 'git-1', ingress: 'git' };

  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
    await mesh.allowEverything();
    narrow = (await mesh.token({ role: 'operator', scope: PLATFORM })).secret;
    node = await TestNode.enroll(mesh, { name: named.node, tags: TAGS });
    other = await TestNode.enroll(mesh, { name: 'git-2', tags: TAGS });
    outside = await TestNode.enroll(mesh, { name: 'db-1', tags: ['team:other', 'surface:db', 'env:production'] });
    ingress = await newIngress(named.ingress, 'git.example.net', PLATFORM);
  });
  after(() => mesh.close());

  async function newIngress(name: string, hostname: string, scope: object): Promise<Ingress> {
    const body = { name, hostname, service: 'git', gateways: ['tag:role:gateway'], scope };
    const got = await mesh.ask<Ingress>('POST', '/v1/ingress', { body });
    assert.equal(got.status, 201, got.text);
    return got.body;
  }

  /** Asks with one place filled in with a text, and everything else as it should be. */
  function ask({ operation, place, what }: Place, text: string, token = mesh.owner) {
    const usual: Record<string, string> = {
      '{id}': what === 'node' ? node.id : ingress.id,
      '{a}': node.id,
      '{b}': other.id,
    };
    const path = operation.path.replaceAll(/\{\w+\}/g, (one) => (one === place ? text : (usual[one] ?? one)));
    const query = place.startsWith('?') ? `${place}=${text}` : '';
    const body = operation.body === undefined ? {} : { body: operation.example?.body ?? {} };
    return mesh.ask(operation.method, path + query, { token, ...body });
  }

  it('cannot be mistaken for ids', () => {
    assert.ok(!new RegExp(NODE_NAME_PATTERN).test(newId('node', 0)));
    assert.ok(!new RegExp(NODE_NAME_PATTERN).test(newId('ingress', 0)));
  });

  // Reads first: what changes a node may cut it off from the other.
  const all = places().sort((a, b) => Number(a.operation.method !== 'GET') - Number(b.operation.method !== 'GET'));
  it('cover nodes, links, rules, operations and ingresses', () => {
    assert.ok(all.length >= 22, `${all.length} places`);
  });

  for (const place of all) {
    // What removes things is tried last, on something that is not there any more by then.
    if (place.operation.method === 'DELETE') continue;
    it(`are taken by ${place.id} in ${place.place}`, async () => {
      const known = place.what === 'node' ? node.id : ingress.id;
      const [byName, missing] = [
        await ask(place, place.place === '{b}' ? 'git-2' : named[place.what]),
        await ask(place, 'no-such-name'),
      ];
      const byId = await ask(place, place.place === '{b}' ? other.id : known);
      assert.notEqual(byName.status, 404, byName.text);
      assert.ok(byName.status < 500 && byName.status !== 400, byName.text);
      if (place.operation.method === 'GET') assert.equal(byName.status, byId.status, byName.text);
      if (place.place.startsWith('{')) assert.equal(missing.status, 404, missing.text);
      if (place.what === 'node' && place.place.startsWith('{') && place.operation.reach === 'scoped') {
        const got = await ask(place, 'db-1', narrow);
        const gotById = await ask(place, outside.id, narrow);
        assert.deepEqual([got.status, got.body.code], [gotById.status, gotById.body.code], got.text);
        assert.ok(got.status === 404 || got.status === 403, got.text);
      }
    });
  }

  it('are taken where something is removed', async () => {
    assert.equal((await mesh.ask('DELETE', '/v1/ingress/git')).status, 204);
    assert.equal((await mesh.ask('DELETE', '/v1/nodes/git-2')).status, 202);
    assert.equal((await mesh.ask('GET', '/v1/nodes/git-2')).status, 404, 'a removed node has no name any more');
    const { body } = await mesh.ask<{ items: unknown[] }>('GET', '/v1/operations?node=git-2&kind=remove');
    assert.equal(body.items.length, 1, 'its operations are found by the name it had');
  });

  it('of two ingresses mean the one inside the scope, and neither when both are', async () => {
    const theirs = await newIngress('web', 'a.example.net', { ...PLATFORM, team: 'other' });
    const ours = await newIngress('web', 'b.example.net', PLATFORM);
    const got = await mesh.ask<Ingress>('GET', '/v1/ingress/web', { token: narrow });
    assert.equal(got.body.id, ours.id);
    const both = await mesh.ask('GET', '/v1/ingress/web');
    assert.deepEqual([both.status, both.body.detail], [404, '2 ingresses are named "web": use the id of one.']);
    await mesh.ask('DELETE', `/v1/ingress/${ours.id}`);
    assert.equal((await mesh.ask('GET', '/v1/ingress/web', { token: narrow })).status, 404);
    assert.equal((await mesh.ask<Ingress>('GET', '/v1/ingress/web')).body.id, theirs.id);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AuditEntry,
  BOUNDARY_TAGS,
  type EnrolledNode,
  type NodeOperation,
  type Problem,
} from '@meshwork/contract';
import { BOUNDARY_PREFIXES } from '@meshwork/policy';
import { TestCoordinator } from '../../test/harness.ts';
import { newKeys, publicHalves, TestNode } from '../../test/test-node.ts';

const POLICY = {
  groups: { dba: ['tag:role:dba'], databases: ['tag:role:db'], web: ['tag:role:web'], ops: ['tag:role:ops'] },
  grants: [
    { from: 'dba', to: 'databases', allow: ['tcp:5432'] },
    { from: 'web', to: 'web', allow: ['tcp:80'], within: 'boundary' },
    { from: 'ops', to: 'databases', allow: ['tcp:22'] },
  ],
  tag_owners: { 'tag:role:dba': ['scope:beta/*/*'] },
};
const OWNED = 'The tag "role:dba" may be set by team beta (tag_owners) or by a mesh-wide token.';

describe('the owners of tags', () => {
  let mesh: TestCoordinator;
  let alpha: string;
  let beta: string;
  let number = 0;
  before(async () => {
    mesh = await TestCoordinator.startWithPanel();
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
    alpha = (await mesh.token({ role: 'owner', scope: { team: 'alpha' } })).secret;
    beta = (await mesh.token({ role: 'owner', scope: { team: 'beta' } })).secret;
    await writePolicy(POLICY);
  });
  after(() => mesh.close());

  const writePolicy = async (body: object) => {
    const got = await mesh.ask('PUT', '/v1/acls', { body });
    assert.equal(got.status, 200, got.text);
    return got;
  };
  const enroll = (tags: readonly string[], token: string = mesh.owner) =>
    mesh.ask<EnrolledNode & Problem>('POST', '/v1/nodes', {
      body: { name: `n-${++number}`, ...publicHalves(newKeys()), tags },
      token,
    });
  const enrolled = async (tags: readonly string[], token?: string) => {
    const got = await enroll(tags, token);
    assert.equal(got.status, 201, got.text);
    return got.body;
  };
  const retag = (id: string, tags: readonly string[], token: string) =>
    mesh.ask<NodeOperation & Problem>('PUT', `/v1/nodes/${id}/tags`, { body: { tags }, token });
  const refusal = ({ status, body }: { status: number; body: Problem }) => [status, body.code, body.detail];

  it('are asked when a node enrols, and are named in the refusal', async () => {
    assert.deepEqual(refusal(await enroll(['role:dba'], alpha)), [403, 'not_owner', OWNED]);
    await enrolled(['role:dba'], beta);
    await enrolled(['role:dba', 'team:alpha'], mesh.owner);
  });

  it('are the whole mesh where the policy names none and the tag opens more than the boundary', async () => {
    for (const token of [alpha, beta]) {
      const got = await enroll(['role:ops'], token);
      assert.deepEqual([got.status, got.body.code], [403, 'not_owner']);
      assert.match(got.body.detail, /uses the tag "role:ops" beyond .* only a mesh-wide token may set it\.$/);
    }
  });

  it('leave tags alone that the policy keeps within a boundary, or does not name', async () => {
    await enrolled(['role:web', 'role:anything', 'rack:7'], alpha);
  });

  it('bind people as they bind tokens', async () => {
    const person = await mesh.person({ role: 'owner', scope: { team: 'alpha', surface: '*', environment: '*' } });
    assert.equal((await enroll(['role:dba'], person.secret)).body.code, 'not_owner');
  });

  it('are checked for tags that a node gets, and not for those it keeps or loses', async () => {
    const plain = await enrolled([], alpha);
    assert.deepEqual(refusal(await retag(plain.id, ['role:dba'], alpha)), [403, 'not_owner', OWNED]);
    const given = await enrolled(['role:dba', 'team:alpha']);
    const kept = await retag(given.id, ['role:dba', 'rack:7'], alpha);
    assert.equal(kept.status, 202, kept.text);
    const loser = await enrolled(['role:dba', 'team:alpha']);
    assert.equal((await retag(loser.id, ['rack:7'], alpha)).status, 202);
  });

  it('are asked again when a node goes to another boundary with its tags', async () => {
    const git = (await mesh.token({ role: 'owner', scope: { surface: 'git' } })).secret;
    const node = await enrolled(['role:dba', 'surface:git'], beta);
    const moved = await retag(node.id, ['role:dba', 'surface:git', 'team:alpha'], git);
    assert.deepEqual(refusal(moved), [403, 'not_owner', OWNED]);
    assert.equal((await retag(node.id, ['surface:git', 'team:alpha'], git)).status, 202);
  });

  it('are asked when a cancelled operation would put tags back', async () => {
    const node = await enrolled(['role:dba', 'team:alpha']);
    const taken = await retag(node.id, ['team:alpha'], mesh.owner);
    assert.equal(taken.status, 202, taken.text);
    const cancel = (token: string) =>
      mesh.ask<NodeOperation & Problem>('DELETE', `/v1/operations/${taken.body.id}`, { token });
    assert.deepEqual(refusal(await cancel(alpha)), [403, 'not_owner', OWNED]);
    const after = await mesh.ask<EnrolledNode>('GET', `/v1/nodes/${node.id}`);
    assert.deepEqual(after.body.tags, ['team:alpha']);
    assert.equal((await cancel(mesh.owner)).status, 200);
  });

  it('are checked when a pending node is approved under another policy than it enrolled under', async () => {
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { require_approval: true } } });
    const approve = (id: string, token: string) => mesh.ask('POST', `/v1/nodes/${id}/approve`, { body: {}, token });
    const early = await enrolled(['role:new'], alpha);
    const vouched = await enrolled(['role:new', 'team:alpha']);
    const revoked = await mesh.token({ role: 'owner', scope: { team: 'beta' } });
    const orphan = await enrolled(['role:new'], revoked.secret);
    await mesh.ask('DELETE', `/v1/auth/tokens/${revoked.id}`);
    await writePolicy({ ...POLICY, tag_owners: { ...POLICY.tag_owners, 'tag:role:new': [] } });
    const refused = 'The tag "role:new" may be set by a mesh-wide token only (tag_owners).';
    assert.deepEqual(refusal(await approve(early.id, alpha)), [403, 'not_owner', refused]);
    assert.equal((await approve(vouched.id, alpha)).status, 202);
    assert.equal((await approve(orphan.id, beta)).status, 403);
    assert.equal((await approve(early.id, mesh.owner)).status, 202);
    await writePolicy(POLICY);
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { require_approval: false } } });
  });

  it('count from the commit of the policy on, also for requests that were on their way', async () => {
    const race = { ...POLICY, tag_owners: { ...POLICY.tag_owners, 'tag:role:race': ['scope:beta/*/*'] } };
    const some = () => Array.from({ length: 20 }, () => enroll(['role:race'], alpha));
    const got = some();
    const written = writePolicy(race);
    got.push(...some());
    await written;
    const { revision } = (await mesh.ask<{ revision: number }>('GET', '/v1/acls')).body;
    for (const { status, body } of await Promise.all(got)) {
      if (status === 201) assert.ok(body.revision < revision, `${body.revision} is not before ${revision}`);
      else assert.deepEqual([status, body.code], [403, 'not_owner']);
    }
    assert.equal((await enroll(['role:race'], alpha)).status, 403);
    await writePolicy(POLICY);
  });

  it('are in the trail when they refuse', async () => {
    await enroll(['role:dba'], alpha);
    const { body } = await mesh.ask<{ items: AuditEntry[] }>(
      'GET',
      '/v1/audit?outcome=refused&action=nodes.enroll&limit=1',
    );
    const [entry] = body.items;
    assert.deepEqual([entry?.action, entry?.outcome, entry?.code], ['nodes.enroll', 'refused', 'not_owner']);
  });

  it('leave nodes as they are when the policy changes', async () => {
    const node = await TestNode.enroll(mesh, { tags: ['role:later'], token: alpha });
    await writePolicy({ ...POLICY, tag_owners: { 'tag:role:later': ['scope:beta/*/*'] } });
    await node.settle();
    const got = await mesh.ask<EnrolledNode>('GET', `/v1/nodes/${node.id}`, { token: alpha });
    assert.deepEqual(got.body.tags, ['role:later', 'team:alpha']);
    await writePolicy(POLICY);
  });

  it('have no say over boundary tags, which contract and policy name alike', () => {
    assert.deepEqual(BOUNDARY_PREFIXES, BOUNDARY_TAGS);
  });
});

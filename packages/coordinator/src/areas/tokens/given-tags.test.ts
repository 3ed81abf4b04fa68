import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EnrolledNode, Problem, Scope, Token, TokenWithSecret } from '@meshwork/contract';
import { ALL, TestCoordinator } from '../../../test/harness.ts';
import { newKeys, publicHalves } from '../../../test/test-node.ts';

const ALPHA = { ...ALL, team: 'alpha' };
const BETA = { ...ALL, team: 'beta' };
const policyWith = (owners: object) => ({
  groups: { dba: ['tag:role:dba'] },
  grants: [{ from: 'dba', to: 'dba', allow: ['tcp:5432'] }],
  tag_owners: owners,
});
const OWNED = { 'tag:role:dba': ['scope:beta/*/*'] };

describe('the tags of a token', () => {
  let mesh: TestCoordinator;
  /** The same in every request, because one is repeated. */
  let expires: string;
  let number = 0;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
    expires = mesh.inDays(1);
    await write(OWNED);
  });
  after(() => mesh.close());

  const write = async (owners: object) => {
    const got = await mesh.ask('PUT', '/v1/acls', { body: policyWith(owners) });
    assert.equal(got.status, 200, got.text);
  };
  const create = (scope: Scope, tags: readonly string[], more: { token?: string; role?: string; key?: string } = {}) =>
    mesh.ask<TokenWithSecret & Problem>('POST', '/v1/auth/tokens', {
      body: {
        name: 'with tags',
        scope,
        role: more.role ?? 'owner',
        expires,
        tags,
      },
      ...(more.token === undefined ? {} : { token: more.token }),
      ...(more.key === undefined ? {} : { headers: { 'idempotency-key': more.key } }),
    });
  const made = async (...given: Parameters<typeof create>) => {
    const got = await create(...given);
    assert.equal(got.status, 201, got.text);
    return got.body;
  };
  const enroll = (tags: readonly string[], token: string) =>
    mesh.ask<EnrolledNode & Problem>('POST', '/v1/nodes', {
      body: { name: `n-${++number}`, ...publicHalves(newKeys()), tags },
      token,
    });

  it('are put on nodes that it enrols and re-tags, inside its scope', async () => {
    const token = await made(ALPHA, ['role:dba']);
    assert.deepEqual(token.tags, ['role:dba']);
    const got = await enroll(['role:dba'], token.secret);
    assert.equal(got.status, 201, got.text);
    assert.deepEqual(got.body.tags, ['role:dba', 'team:alpha']);
    assert.equal((await enroll(['role:dba', 'team:beta'], token.secret)).body.code, 'exceeds_own_rights');
    const plain = await enroll([], token.secret);
    const body = { tags: ['role:dba'] };
    assert.equal((await mesh.ask('PUT', `/v1/nodes/${plain.body.id}/tags`, { body, token: token.secret })).status, 202);
  });

  it('are shown in its record, and nothing of who gave them', async () => {
    const { id } = await made(ALPHA, ['role:dba', 'rack:7']);
    const shown = await mesh.ask<Token>('GET', `/v1/auth/tokens/${id}`);
    assert.deepEqual(shown.body.tags, ['role:dba', 'rack:7']);
    const plain = await mesh.token({ scope: ALPHA });
    assert.deepEqual((await mesh.ask<Token>('GET', `/v1/auth/tokens/${plain.id}`)).body.tags, []);
  });

  it('are only what its maker may set, by scope or by a token of its own', async () => {
    const alpha = await mesh.token({ role: 'owner', scope: ALPHA });
    const refused = await create(ALPHA, ['role:dba'], { token: alpha.secret });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.detail],
      [403, 'not_owner', 'The tag "role:dba" may be set by team beta (tag_owners) or by a mesh-wide token.'],
    );
    const beta = await mesh.token({ role: 'owner', scope: BETA });
    await made(BETA, ['role:dba'], { token: beta.secret });
    const given = await made(ALPHA, ['role:dba']);
    const child = await made(ALPHA, ['role:dba'], { token: given.secret });
    assert.equal((await enroll(['role:dba'], child.secret)).status, 201);
  });

  it('are kept by rotation, which takes as much as making it', async () => {
    const token = await made(ALPHA, ['role:dba']);
    const alpha = await mesh.token({ role: 'owner', scope: ALPHA });
    const rotate = (by: string) =>
      mesh.ask<TokenWithSecret & Problem>('POST', `/v1/auth/tokens/${token.id}/rotate`, { body: {}, token: by });
    assert.equal((await rotate(alpha.secret)).body.code, 'not_owner');
    const rotated = await rotate(token.secret);
    assert.equal(rotated.status, 201, rotated.text);
    assert.deepEqual(rotated.body.tags, ['role:dba']);
    assert.equal((await enroll(['role:dba'], rotated.body.secret)).status, 201);
  });

  it('count for as much as their giver could set today', async () => {
    const beta = await mesh.token({ role: 'owner', scope: BETA });
    const byBeta = await made(BETA, ['role:dba'], { token: beta.secret });
    const byMesh = await made(BETA, ['role:dba']);
    const alpha = await mesh.token({ role: 'owner', scope: ALPHA });
    const early = await made(ALPHA, ['role:later'], { token: alpha.secret });
    await write({ 'tag:role:dba': ['scope:gamma/*/*'], 'tag:role:later': ['scope:gamma/*/*'] });
    assert.equal((await enroll(['role:dba'], byBeta.secret)).body.code, 'not_owner');
    assert.equal((await enroll(['role:dba'], byMesh.secret)).status, 201);
    assert.equal((await enroll(['role:later'], early.secret)).body.code, 'not_owner');
    await write(OWNED);
  });

  it('are asked about again before a repeated request shows its secret', async () => {
    const beta = await mesh.token({ role: 'owner', scope: BETA });
    const first = await made(BETA, ['role:dba'], { token: beta.secret, key: 'once' });
    const again = await made(BETA, ['role:dba'], { token: beta.secret, key: 'once' });
    assert.equal(again.id, first.id);
    await write({ 'tag:role:dba': [] });
    assert.equal((await create(BETA, ['role:dba'], { token: beta.secret, key: 'once' })).body.code, 'not_owner');
    await write(OWNED);
  });

  it('are neither tags of boundaries, nor for a role that sets none', async () => {
    const boundary = await create(ALPHA, ['rack:7', 'team:beta']);
    assert.deepEqual([boundary.status, boundary.body.errors?.[0]?.pointer], [422, '/tags/1']);
    const viewer = await create(ALPHA, ['role:dba'], { role: 'viewer' });
    assert.deepEqual([viewer.status, viewer.body.errors?.[0]?.pointer], [422, '/tags']);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Role, Token, Whoami } from '@meshwork/contract';
import { ALL, TestCoordinator } from '../../../test/harness.ts';

describe('roles', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  const create = (name: string, permissions: string[], token?: string) =>
    mesh.ask<Role & { code: string }>('POST', '/v1/auth/roles', {
      body: { name, description: 'a role', permissions },
      ...(token === undefined ? {} : { token }),
    });

  it('are the built-in ones and the custom ones, by name', async () => {
    await create('zebra', ['nodes:read']);
    await create('ant', []);
    const { body } = await mesh.ask<{ items: Role[]; next_cursor: string }>('GET', '/v1/auth/roles?limit=3');
    const rest = await mesh.ask<{ items: Role[] }>('GET', `/v1/auth/roles?cursor=${body.next_cursor}`);
    const names = [...body.items, ...rest.body.items].map(({ name }) => name);
    assert.deepEqual(names, [
      'ant',
      'auditor',
      'enroller',
      'monitoring',
      'operator',
      'owner',
      'panel',
      'pipeline',
      'viewer',
      'visitor',
      'zebra',
    ]);
    assert.deepEqual(body.items[0]?.permissions, ['self:read'], 'every role can see itself');
  });

  it('change what every token with them may do, at once', async () => {
    await create('reader', ['roles:read']);
    const { secret, id } = await mesh.token({ role: 'reader' });
    const list = () => mesh.ask('GET', '/v1/auth/roles', { token: secret });
    assert.equal((await list()).status, 200);
    const etag = (await mesh.ask('GET', '/v1/auth/roles/reader')).headers.get('etag') ?? '';
    const replace = () =>
      mesh.ask<Role>('PUT', '/v1/auth/roles/reader', {
        body: { permissions: ['nodes:read'] },
        headers: { 'if-match': etag },
      });
    assert.equal((await replace()).status, 200);
    assert.equal((await replace()).status, 412);
    assert.equal((await list()).status, 403);
    assert.deepEqual((await mesh.ask<Token>('GET', `/v1/auth/tokens/${id}`)).body.permissions, [
      'self:read',
      'nodes:read',
    ]);
    assert.deepEqual((await mesh.ask<Whoami>('GET', '/v1/auth/whoami', { token: secret })).body.permissions, [
      'self:read',
      'nodes:read',
    ]);
  });

  it('are refused when taken, malformed or made of permissions that do not exist', async () => {
    assert.equal((await create('twice', [])).status, 201);
    assert.deepEqual(
      [(await create('twice', [])).body.code, (await create('owner', [])).body.code],
      ['already_exists', 'already_exists'],
    );
    for (const name of ['Upper', '', '-x', 'a'.repeat(64), 'a/b', '__proto__'])
      assert.equal((await create(name, [])).status, 422, name);
    assert.equal((await create('odd', ['nodes:fly'])).status, 422);
  });

  it('that are built in can be neither changed nor deleted', async () => {
    const put = await mesh.ask('PUT', '/v1/auth/roles/viewer', { body: { permissions: [] } });
    const gone = await mesh.ask('DELETE', '/v1/auth/roles/viewer');
    assert.deepEqual(
      [put.status, put.body.code, gone.status, gone.body.code],
      [409, 'role_built_in', 409, 'role_built_in'],
    );
  });

  it('cannot lend their maker, or its tokens, rights it does not have', async () => {
    await create('role-smith', ['roles:read', 'roles:write', 'tokens:create', 'tokens:read']);
    await create('strong', ['acls:write']);
    const smith = await mesh.token({ role: 'role-smith' });
    const asSmith = { token: smith.secret };
    const made = await create('stronger', ['acls:write'], smith.secret);
    const raised = await mesh.ask('PUT', '/v1/auth/roles/role-smith', {
      ...asSmith,
      body: { permissions: ['roles:write', 'acls:write'] },
    });
    const weakened = await mesh.ask('PUT', '/v1/auth/roles/strong', { ...asSmith, body: { permissions: [] } });
    const removed = await mesh.ask('DELETE', '/v1/auth/roles/strong', asSmith);
    for (const got of [made, raised, weakened, removed])
      assert.deepEqual([got.status, got.body.code], [403, 'exceeds_own_rights']);
    // First a weak role and a token with it, then an owner makes the role strong: that is the owner's choice. But the
    // smith itself cannot do it in two steps either.
    await create('step', ['roles:read'], smith.secret);
    const token = await mesh.ask('POST', '/v1/auth/tokens', {
      ...asSmith,
      body: { name: 'x', scope: ALL, expires: mesh.inDays(1), role: 'step' },
    });
    assert.equal(token.status, 201);
    const second = await mesh.ask('PUT', '/v1/auth/roles/step', { ...asSmith, body: { permissions: ['acls:write'] } });
    assert.equal(second.body.code, 'exceeds_own_rights');
  });

  it('stay while a working token or the settings need them', async () => {
    await create('needed', []);
    const { id } = await mesh.token({ role: 'needed' });
    const remove = () => mesh.ask('DELETE', '/v1/auth/roles/needed');
    assert.equal((await remove()).body.code, 'role_in_use');
    await mesh.ask('DELETE', `/v1/auth/tokens/${id}`);
    await mesh.ask('PATCH', '/v1/settings', { body: { tokens: { surface_roles: { shop: 'needed' } } } });
    assert.equal((await remove()).body.code, 'role_in_use');
    await mesh.ask('PATCH', '/v1/settings', { body: { tokens: { surface_roles: { shop: null } } } });
    const gone = await remove();
    assert.deepEqual([gone.status, gone.text], [204, '']);
    assert.equal((await mesh.ask('GET', '/v1/auth/roles/needed')).status, 404);
  });

  it('and a token of them made at the same time as they are deleted never both happen', async () => {
    for (let round = 0; round < 10; round++) {
      const name = `race-${round}`;
      await create(name, []);
      const body = { name: 'x', scope: ALL, expires: mesh.inDays(1), role: name };
      const [made, gone] = await Promise.all([
        mesh.ask('POST', '/v1/auth/tokens', { body }),
        mesh.ask('DELETE', `/v1/auth/roles/${name}`),
      ]);
      assert.ok((made.status === 201) !== (gone.status === 204), `${made.status} ${gone.status}`);
    }
  });
});

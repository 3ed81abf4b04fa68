import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BUILT_IN_ROLES, type Permission, type PermissionInfo, type Role, type Whoami } from '@meshwork/contract';
import { alterStored } from '../../../test/alter-stored.ts';
import { TestCoordinator } from '../../../test/harness.ts';

const OLDER = ['nodes:read', 'dns:conjure', 'snapshots:write'];

describe('a permission that this version does not know', () => {
  it('is ignored where a stored custom role names it, and listed nowhere', async () => {
    const mesh = await TestCoordinator.start();
    try {
      const role = { name: 'watcher', permissions: ['nodes:read', 'relays:read'] };
      await mesh.ask('POST', '/v1/auth/roles', { body: role });
      const { secret } = await mesh.token({ role: 'watcher' });
      // As a version wrote it whose catalogue had more.
      await alterStored(mesh, { kind: 'role', id: 'watcher' }, (body) => ({ ...body, permissions: OLDER }));
      const shown = await mesh.ask<Role>('GET', '/v1/auth/roles/watcher');
      assert.deepEqual(shown.body.permissions, ['self:read', 'nodes:read']);
      const me = await mesh.ask<Whoami>('GET', '/v1/auth/whoami', { token: secret });
      assert.deepEqual(me.body.permissions, ['self:read', 'nodes:read']);
      const body = { permissions: shown.body.permissions };
      assert.equal(
        (await mesh.ask('PUT', '/v1/auth/roles/watcher', { body })).status,
        200,
        'what is shown can be sent',
      );
      const catalogue = await mesh.ask<{ items: PermissionInfo[] }>('GET', '/v1/auth/permissions');
      const names = catalogue.body.items.map(({ name }) => name);
      assert.ok(!names.some((name) => /^(snapshots|telemetry|monitoring):/.test(name)), names.join(' '));
      for (const { permissions } of Object.values<{ permissions: readonly Permission[] }>(BUILT_IN_ROLES)) {
        for (const permission of permissions) assert.ok(names.includes(permission), permission);
      }
    } finally {
      await mesh.close();
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALL_PERMISSIONS, BUILT_IN_ROLES } from '@meshwork/contract';
import { leastRole } from './least-role.ts';

const roles = Object.entries(BUILT_IN_ROLES).map(([name, role]) => ({ name, ...role }));
const least = (wanted: readonly string[], own: readonly string[] = ALL_PERMISSIONS) =>
  leastRole(new Set(wanted), roles, own);

describe('the least role', () => {
  it('can do what is wanted, and less beside it than every other that can', () => {
    assert.equal(least(['nodes:enroll'])?.role.name, 'enroller');
    assert.deepEqual(least(['nodes:enroll'])?.beyond, ['nodes:read']);
    assert.equal(least(['ingress:write'])?.role.name, 'pipeline');
    assert.equal(least(['settings:write'])?.role.name, 'owner');
  });

  it('is never one that the person does not cover', () => {
    assert.equal(least(['settings:write'], BUILT_IN_ROLES.operator.permissions), null);
    assert.equal(least(['nodes:enroll'], BUILT_IN_ROLES.viewer.permissions), null);
  });
});

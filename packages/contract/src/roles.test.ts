import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATION_IDS, OPERATIONS } from './operations.ts';
import { PANEL_OPERATION_IDS, PANEL_OPERATIONS } from './panel/panel-operations.ts';
import { ALL_PERMISSIONS, GRANTABLE_PERMISSIONS, isPermission, OUTLIVE, type Permission } from './permissions.ts';
import {
  BUILT_IN_ROLES,
  type BuiltInRole,
  DEFAULT_ROLE,
  DEFAULT_SURFACE_ROLES,
  FLOOR,
  isBuiltInRole,
} from './roles.ts';

/** Looking changes nothing; neither does recomputing a hash chain. */
const isWrite = (permission: Permission) => !permission.endsWith(':read') && permission !== 'audit:verify';
const of = (role: BuiltInRole): readonly Permission[] => BUILT_IN_ROLES[role].permissions;
const roles = Object.keys(BUILT_IN_ROLES) as BuiltInRole[];

test('an owner may do everything but act for others, which only the panel may', () => {
  assert.deepEqual(new Set([...of('owner'), 'tokens:delegate']), new Set(ALL_PERMISSIONS));
  assert.deepEqual(
    roles.filter((role) => of(role).includes('tokens:delegate')),
    ['panel'],
  );
  assert.ok(!GRANTABLE_PERMISSIONS.includes('tokens:delegate'));
});

test('the panel does nothing in its own name', () => {
  assert.deepEqual(of('panel'), ['self:read', 'roles:read', 'tokens:delegate', 'tokens:rotate']);
});

test('owners change people, operators and auditors read them, and no other role does either', () => {
  const having = (permission: Permission) => roles.filter((role) => of(role).includes(permission));
  assert.deepEqual(having('users:write'), ['owner']);
  assert.deepEqual(having('users:read'), ['owner', 'operator', 'auditor']);
});

test('a pipeline can neither enrol nor approve nodes', () => {
  assert.ok(!of('pipeline').includes('nodes:enroll'));
  assert.ok(!of('pipeline').includes('nodes:approve'));
});

test('a pipeline writes nothing but ingresses', () => {
  assert.deepEqual(of('pipeline').filter(isWrite), ['ingress:write']);
});

test('monitoring writes nothing', () => {
  assert.deepEqual(of('monitoring').filter(isWrite), []);
});

test('of the built-in roles only the owner creates tokens that outlive its own', () => {
  assert.deepEqual(
    roles.filter((role) => of(role).includes(OUTLIVE)),
    ['owner'],
  );
  assert.ok(GRANTABLE_PERMISSIONS.includes(OUTLIVE), 'a custom role may have it');
});

test('each permission is needed by an operation of the coordinator or the panel, but for the one that widens others', () => {
  const needed = new Set<string | null>([
    ...OPERATION_IDS.map((id) => OPERATIONS[id].permission),
    ...PANEL_OPERATION_IDS.map((id) => PANEL_OPERATIONS[id].access),
  ]);
  assert.deepEqual(
    ALL_PERMISSIONS.filter((permission) => !needed.has(permission)),
    [OUTLIVE],
  );
});

test('monitoring can neither read nor write the policy', () => {
  assert.deepEqual(
    of('monitoring').filter((permission) => permission.startsWith('acls:')),
    [],
  );
});

test('an enroller enrols nodes and changes nothing else', () => {
  assert.deepEqual(of('enroller').filter(isWrite), ['nodes:enroll']);
});

for (const role of ['auditor', 'viewer'] as const) {
  test(`the ${role} writes nothing`, () => {
    assert.deepEqual(of(role).filter(isWrite), []);
  });
}

test('an auditor reads everything there is', () => {
  const reads = ALL_PERMISSIONS.filter((permission) => permission.endsWith(':read'));
  assert.deepEqual(new Set(of('auditor')), new Set([...reads, 'audit:verify']));
});

test('a viewer sees neither credentials nor the audit trail', () => {
  for (const hidden of ['tokens:read', 'audit:read', 'audit:verify'] as const) {
    assert.ok(!of('viewer').includes(hidden), hidden);
  }
});

test('an operator cannot change who may do what', () => {
  for (const kept of ['roles:write', 'settings:write', 'users:write', 'tokens:outlive', 'ca:export'] as const) {
    assert.ok(!of('operator').includes(kept), kept);
  }
});

test('every role includes the floor, knows only permissions of the catalogue, and names each once', () => {
  for (const role of roles) {
    for (const permission of FLOOR) assert.ok(of(role).includes(permission), `${role} lacks ${permission}`);
    for (const permission of of(role)) assert.ok(isPermission(permission), `${role} has ${permission}`);
    assert.equal(new Set(of(role)).size, of(role).length, role);
  }
});

test('a token that names no role never gets one that can enrol a node', () => {
  for (const role of [DEFAULT_ROLE, ...Object.values(DEFAULT_SURFACE_ROLES)]) {
    assert.ok(!of(role).includes('nodes:enroll'), role);
  }
});

test('names that objects inherit are neither roles nor permissions', () => {
  for (const name of ['constructor', 'toString', '__proto__', '']) {
    assert.equal(isBuiltInRole(name), false, name);
    assert.equal(isPermission(name), false, name);
  }
});

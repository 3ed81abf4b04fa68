import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BUILT_IN_ROLES, type BuiltInRole, NODE_OPERATION_KINDS, type Permission } from '@meshwork/contract';
import { asksFor, NODE_ASKS } from './node-asks.ts';

const kindsFor = (state: Parameters<typeof asksFor>[0], role: BuiltInRole) => {
  const permissions: readonly Permission[] = BUILT_IN_ROLES[role].permissions;
  return asksFor(state, (permission) => permissions.includes(permission)).map(({ kind }) => kind);
};

describe('what is offered for a node', () => {
  test('is every kind of operation but the one that the node asks for itself', () => {
    const kinds = NODE_ASKS.map(({ kind }) => kind).toSorted();
    assert.deepEqual(kinds, NODE_OPERATION_KINDS.filter((kind) => kind !== 'enroll').toSorted());
  });

  test('makes sense in its state', () => {
    assert.ok(kindsFor('pending', 'owner').includes('approve'));
    assert.ok(!kindsFor('active', 'owner').includes('approve'));
    assert.ok(kindsFor('quarantined', 'owner').includes('release'));
    assert.ok(!kindsFor('quarantined', 'owner').includes('quarantine'));
    assert.ok(kindsFor('draining', 'owner').includes('undrain'));
    assert.ok(!kindsFor('draining', 'owner').includes('drain'));
    assert.ok(!kindsFor('unreachable', 'owner').includes('rekey'));
    assert.deepEqual(kindsFor('removed', 'owner'), []);
  });

  test('is empty for a read-only role', () => {
    for (const state of ['pending', 'active', 'stale'] as const) {
      assert.deepEqual(kindsFor(state, 'viewer'), []);
      assert.deepEqual(kindsFor(state, 'auditor'), []);
    }
  });
});

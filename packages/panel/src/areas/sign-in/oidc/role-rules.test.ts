import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WHOLE_MESH } from '@meshwork/contract';
import { readRoleRules, ruleFor } from './role-rules.ts';

describe('the roles of groups', () => {
  it('are read with and without a scope, and with whatever others put into the names of groups', () => {
    const rules = readRoleRules(
      ' admins=owner , ops=operator@shop/*/production,/team/a b=viewer,cn=x=auditor,a@b.example=viewer,',
    );
    assert.deepEqual(
      rules.map(({ group, role }) => [group, role]),
      [
        ['admins', 'owner'],
        ['ops', 'operator'],
        ['/team/a b', 'viewer'],
        ['cn=x', 'auditor'],
        ['a@b.example', 'viewer'],
      ],
    );
    assert.deepEqual(rules[0]?.scope, WHOLE_MESH);
    assert.deepEqual(rules[1]?.scope, { team: 'shop', surface: '*', environment: 'production' });
  });

  it('are refused with the expected format', () => {
    for (const bad of [
      'admins',
      '=owner',
      'admins=',
      'a=Owner',
      'a=owner@shop',
      'a=owner@a/b/c/d',
      'a=owner@a/b/C',
      'a=owner@a/b/c@d',
    ]) {
      assert.throws(() => readRoleRules(bad), /must (be|have)/, bad);
    }
    assert.throws(() => readRoleRules('a=panel'), /only the panel itself/);
  });

  it('count in their own order, not in that of the person’s groups', () => {
    const rules = readRoleRules('ops=operator,admins=owner');
    assert.equal(ruleFor(rules, ['admins', 'ops'])?.role, 'operator');
    assert.equal(ruleFor(rules, ['Ops', 'admin']), undefined);
    assert.equal(ruleFor(rules, []), undefined);
  });
});

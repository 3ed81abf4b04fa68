import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { TestLedger } from '../../../../test/sign-in/test-ledger.ts';
import { Sessions } from '../../../sessions/sessions.ts';
import { pendingFor } from '../../../users/retire-tokens.ts';
import { admitPerson, identityId, turnAway } from './admit-person.ts';
import { OidcProblem } from './oidc-problem.ts';
import type { ProviderPerson } from './provider-person.ts';
import { readRoleRules } from './role-rules.ts';

describe('a person who signs in through the provider', () => {
  const rules = readRoleRules('admins=owner,ops=operator,ops-here=operator@shop/*/*');
  const someone = (subject: string, groups: readonly string[]): ProviderPerson => {
    const name = `person.${subject}`;
    return { issuer: 'https://id.example', subject, name, display_name: null, label: name, groups };
  };
  let test: TestLedger;
  before(async () => {
    test = await TestLedger.open();
  });
  after(() => test.close());
  const admit = (person: ProviderPerson) => test.transact((tx) => admitPerson(tx, person, rules));

  it('keeps the role that an operator gave them, whatever their groups, if an operator created the account', async () => {
    const linked = someone('7', ['admins']);
    const user = await test.person('handmade', { role: 'viewer' });
    await test.transact((tx) => tx.put('identity', identityId(linked), { user }));
    for (const groups of [['admins'], ['ops'], []]) {
      const admitted = await admit({ ...linked, groups });
      assert.deepEqual([admitted.id, admitted.body.role], [user, 'viewer'], groups.join());
    }
  });

  it('is identified by issuer and subject together, and by nothing else', async () => {
    const one = await admit(someone('8', ['ops']));
    assert.equal((await admit({ ...someone('8', ['ops']), name: 'another', label: 'another' })).id, one.id);
    const elsewhere = { ...someone('8', ['ops']), issuer: 'https://other.example', name: 'elsewhere' };
    assert.notEqual((await admit(elsewhere)).id, one.id);
    const ids = [
      ['a', 'bc'],
      ['ab', 'c'],
      ['a","b', 'c'],
    ].map(([issuer = '', subject = '']) => identityId({ issuer, subject }));
    assert.equal(new Set(ids).size, 3);
  });

  it('gets a new scope with the same role, and is written only when something changed', async () => {
    const made = await admit(someone('9', ['ops']));
    assert.equal((await admit(someone('9', ['ops']))).revision, made.revision);
    const narrower = await admit(someone('9', ['ops-here']));
    assert.deepEqual([narrower.body.role, narrower.body.scope.team], ['operator', 'shop']);
  });

  it('loses tokens that exceed the rights of their current groups, in the same commit', async () => {
    const { id } = await admit(someone('10', ['ops']));
    const limits = () => pendingFor(test.ledger, id).map(({ body }) => body.limit);
    assert.deepEqual(limits(), [], 'nothing has changed yet');
    const { body } = await admit(someone('10', ['ops-here']));
    assert.deepEqual(limits(), [{ role: 'operator', scope: body.scope }]);
    const sessions = new Sessions(test.ledger, createSecretKey(randomBytes(32)));
    const refuse = () =>
      test.transact((tx) => turnAway(tx, someone('10', []), { problem: new OidcProblem('no_role'), sessions }));
    await refuse();
    await refuse();
    assert.deepEqual(limits().slice(1), [null], 'without any role nothing remains, and once is enough');
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Token, TokenWithSecret, Whoami } from '@meshwork/contract';
import { ALL, TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

describe('a token that has enrolled all the nodes it was made for', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  const enroller = async () => {
    const body = { name: 'enrol', scope: ALL, role: 'enroller', expires: mesh.inDays(30), uses: 1 };
    return (await mesh.ask<TokenWithSecret>('POST', '/v1/auth/tokens', { body })).body;
  };
  const show = async (id: string) => (await mesh.ask<Token>('GET', `/v1/auth/tokens/${id}`)).body;
  const listed = async (state: string) =>
    (await mesh.ask<{ items: Token[] }>('GET', `/v1/auth/tokens?state=${state}&limit=200`)).body.items.map(
      ({ id }) => id,
    );

  it('says so wherever it is shown, and is no longer among the active ones', async () => {
    const token = await enroller();
    assert.equal((await show(token.id)).state, 'active');
    await TestNode.enroll(mesh, { token: token.secret });
    const { state, uses_left } = await show(token.id);
    assert.deepEqual([state, uses_left], ['used_up', 0]);
    const me = await mesh.ask<Whoami>('GET', '/v1/auth/whoami', { token: token.secret });
    assert.deepEqual([me.status, me.body.state], [200, 'used_up'], 'it is still known');
    assert.ok((await listed('used_up')).includes(token.id));
    assert.ok(!(await listed('active')).includes(token.id));
  });

  it('also while it retires, since it shares the number with its successor', async () => {
    const token = await enroller();
    const successor = await mesh.ask<TokenWithSecret>('POST', `/v1/auth/tokens/${token.id}/rotate`, { body: {} });
    assert.equal((await show(token.id)).state, 'retiring');
    await TestNode.enroll(mesh, { token: successor.body.secret });
    assert.deepEqual([(await show(token.id)).state, (await show(successor.body.id)).state], ['used_up', 'used_up']);
  });

  it('is revoked or expired before anything else', async () => {
    const [one, other] = [await enroller(), await enroller()];
    for (const { secret } of [one, other]) await TestNode.enroll(mesh, { token: secret });
    await mesh.ask('DELETE', `/v1/auth/tokens/${one.id}`);
    assert.equal((await show(one.id)).state, 'revoked');
    const owner = await mesh.token({ role: 'owner', days: 60 });
    mesh.clock.advance(31 * 24 * 3600);
    const got = await mesh.ask<Token>('GET', `/v1/auth/tokens/${other.id}`, { token: owner.secret });
    assert.equal(got.body.state, 'expired');
  });
});

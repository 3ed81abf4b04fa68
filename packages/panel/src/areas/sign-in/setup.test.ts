import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { SignedIn } from '@meshwork/contract';
import { PASSWORD, TestPanel } from '../../../test/harness.ts';

describe('setting the panel up', () => {
  let panel: TestPanel;
  beforeEach(async () => {
    panel = await TestPanel.start();
    panel.clock.holdStill();
  });
  afterEach(() => panel.close());

  const setUp = (given: Record<string, unknown> = {}) =>
    panel.browser().ask<SignedIn>('POST', '/api/v1/setup', {
      body: { code: panel.setup_code, name: 'ada', password: PASSWORD, ...given },
    });

  it('makes the first owner, signs them in, and is over for good', async () => {
    const status = () => panel.browser().must<object>(200, 'GET', '/api/v1/setup');
    assert.equal(((await status()) as { needed: boolean }).needed, true);
    const got = await setUp({ code: panel.setup_code?.toLowerCase().replaceAll('-', ' ') });
    assert.equal(got.status, 201, got.text);
    assert.equal(got.body.user.role, 'owner');
    assert.ok(got.body.permissions.includes('users:write'));
    assert.deepEqual(await status(), { needed: false, code_expires: null });
    const again = await setUp({ name: 'eve' });
    assert.deepEqual([again.status, again.headers.get('content-type')], [409, 'application/problem+json']);
    await panel.down();
    await panel.up();
    assert.equal(panel.setup_code, null);
    assert.equal((await setUp({ code: 'AAAA-AAAA-AAAA-AAAA', name: 'eve' })).status, 409);
  });

  it('takes the newest code only, for an hour', async () => {
    const first = panel.setup_code;
    await panel.down();
    await panel.up();
    assert.notEqual(panel.setup_code, first);
    assert.equal((await setUp({ code: first })).status, 401);
    panel.clock.advance(3600);
    assert.equal((await setUp()).status, 401);
  });

  it('has one winner of several at once', async () => {
    const got = await Promise.all(['ada', 'bob', 'eve', 'mallory'].map((name) => setUp({ name })));
    assert.deepEqual(got.map(({ status }) => status).sort(), [201, 409, 409, 409]);
    const owner = await panel.signIn(
      ['ada', 'bob', 'eve', 'mallory'][got.findIndex(({ status }) => status === 201)] ?? '',
    );
    const { items } = await owner.must<{ items: unknown[] }>(200, 'GET', '/api/v1/users');
    assert.equal(items.length, 1);
  });

  it('slows down guesses from one address, and not those from another', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 8; count++) statuses.push((await setUp({ code: 'AAAA-AAAA-AAAA-AAAA' })).status);
    assert.deepEqual(statuses.slice(0, 5), [401, 401, 401, 401, 401]);
    assert.ok(statuses.slice(5).includes(429), statuses.join());
    panel.clock.advance(60);
    assert.equal((await setUp()).status, 201);
  });

  it('refuses common passwords, and those made of the person’s name', async () => {
    for (const password of [
      'password1234',
      'Passw0rd!Passw0rd!',
      'adalovelace12',
      'aaaaaaaaaaaaaaaa',
      'qwertyuiop1234',
    ]) {
      const got = await setUp({ password, name: 'ada.lovelace' });
      assert.deepEqual([got.status, password], [422, password]);
    }
    assert.equal((await setUp({ password: 'elevenchars' })).status, 422);
  });
});

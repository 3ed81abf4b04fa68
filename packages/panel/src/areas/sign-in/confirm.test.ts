import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { SignedIn } from '@meshwork/contract';
import { TOTP } from 'otpauth';
import { PASSWORD, type TestBrowser, TestPanel } from '../../../test/harness.ts';
import { wrongCode } from '../../../test/sign-in/wrong-code.ts';

describe('confirming an identity with an authenticator', () => {
  let panel: TestPanel;
  let owner: TestBrowser;
  let secret: string;
  beforeEach(async () => {
    panel = await TestPanel.start();
    panel.clock.holdStill();
    owner = await panel.owner();
    ({ secret } = await owner.must<{ secret: string }>(200, 'POST', '/api/v1/profile/totp', { body: {} }));
    await owner.must(200, 'POST', '/api/v1/profile/totp/finish', { body: { code: codeNow() } });
    panel.clock.advance(15 * 60);
  });
  afterEach(() => panel.close());

  const codeNow = () => new TOTP({ secret }).generate({ timestamp: panel.clock.now() });
  const notTheCode = () => wrongCode(new TOTP({ secret }), panel.clock.now());
  const confirm = (body: object) => owner.ask<SignedIn>('POST', '/api/v1/auth/confirm', { body });

  it('takes the password and a code, and not one alone', async () => {
    assert.equal((await confirm({ password: PASSWORD })).status, 401);
    assert.equal((await confirm({ password: PASSWORD, code: notTheCode() })).status, 401);
    assert.equal((await confirm({ code: codeNow() })).status, 422);
    const got = await confirm({ password: PASSWORD, code: codeNow() });
    assert.equal(got.status, 200, got.text);
    assert.notEqual(got.body.session.confirmed_until, null);
  });

  it('is not granted by changing the password, which needs no code', async () => {
    const body = { current: PASSWORD, password: 'another lantern gravel zebra' };
    await owner.must(200, 'POST', '/api/v1/profile/password', { body });
    assert.equal(((await owner.state()) as SignedIn).session.confirmed_until, null);
    const removed = await owner.ask('DELETE', '/api/v1/profile/totp');
    assert.deepEqual([removed.status, removed.body.code], [403, 'confirmation_required']);
  });

  it('accepts a code once, and slows down guesses', async () => {
    const code = codeNow();
    assert.equal((await confirm({ password: PASSWORD, code })).status, 200);
    assert.equal((await confirm({ password: PASSWORD, code })).status, 401);
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++)
      statuses.push((await confirm({ password: PASSWORD, code: notTheCode() })).status);
    assert.ok(statuses.includes(429), statuses.join());
  });

  it('does not count the password alone as signed in', async () => {
    const browser = await panel.signIn('grace');
    assert.equal((await browser.state()).state, 'halfway');
    for (const path of ['/api/v1/profile', '/api/v1/users', '/api/v1/coordinator/nodes', '/api/v1/sessions']) {
      assert.equal((await browser.ask('GET', path)).status, 401, path);
    }
    panel.clock.advance(5 * 60);
    assert.equal((await browser.state()).state, 'signed_out');
  });
});

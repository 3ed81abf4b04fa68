import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Profile, SignInState } from '@meshwork/contract';
import { TOTP } from 'otpauth';
import { type Odd, SoftwareAuthenticator } from '../../../../test/sign-in/software-authenticator.ts';
import { PASSWORD, type TestBrowser, TestPanel } from '../../../../test/testing.ts';
import { MAX_PASSKEYS } from './add-passkey.ts';

const PASSKEYS = '/api/v1/profile/passkeys';
type Options = Record<string, unknown>;

describe('signing in with a passkey', () => {
  let panel: TestPanel;
  let owner: TestBrowser;
  before(async () => {
    panel = await TestPanel.start();
    await panel.owner('grace');
  });
  beforeEach(async () => {
    panel.clock.advance(60); // attempts to sign in are counted by address, and all of these come from one
    owner = await panel.signIn('grace');
  });
  after(() => panel.close());

  const begin = (browser: TestBrowser) => browser.must<Options>(200, 'POST', `${PASSKEYS}/options`, { body: {} });
  const add = (browser: TestBrowser, response: Options, name = 'laptop') =>
    browser.ask<Profile>('POST', PASSKEYS, { body: { name, response } });
  const withPasskey = async (name: string, odd: Odd = {}) => {
    const browser = await panel.person(owner, { name });
    const authenticator = new SoftwareAuthenticator(panel.url);
    const added = await add(browser, authenticator.create(await begin(browser), odd));
    assert.equal(added.status, 201, added.text);
    return { browser, authenticator, profile: added.body };
  };
  const options = (browser: TestBrowser) =>
    browser.must<Options>(200, 'POST', '/api/v1/auth/login/passkey/options', { body: {} });
  const login = (browser: TestBrowser, response: Options) =>
    browser.ask<SignInState>('POST', '/api/v1/auth/login/passkey', { body: { response } });

  it('needs neither a name nor a password, and no code on top', async () => {
    const { authenticator, browser, profile } = await withPasskey('ada');
    assert.deepEqual([profile.passkeys[0]?.name, profile.passkeys[0]?.last_used_at], ['laptop', null]);
    const stranger = panel.browser();
    const asked = await options(stranger);
    assert.deepEqual(
      [asked.rpId, asked.userVerification, asked.allowCredentials],
      ['localhost', 'required', undefined],
    );
    const signedIn = await login(stranger, authenticator.get(asked));
    assert.equal(signedIn.body.state, 'signed_in');
    const seen = await browser.must<Profile>(200, 'GET', '/api/v1/profile');
    assert.notEqual(seen.passkeys[0]?.last_used_at, null);
    const entries = await panel.trail(owner);
    assert.ok(entries.some(({ action, detail }) => action === 'auth.login_passkey' && detail === 'by passkey'));
  });

  it('works once for each answer: a copy of the request comes too late, also at the same time', async () => {
    const { authenticator } = await withPasskey('copied');
    const [one, other, late] = [panel.browser(), panel.browser(), panel.browser()];
    const answer = authenticator.get(await options(one));
    const answers = await Promise.all([login(one, answer), login(other, answer)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
    assert.equal((await login(late, answer)).status, 401);
  });

  it('is refused from another origin, without verification, after five minutes, and with a made-up challenge', async () => {
    const { authenticator } = await withPasskey('strict');
    const browser = panel.browser();
    for (const odd of [{ origin: 'http://localhost' }, { unverified: true }, { rp_id: 'evil.example' }]) {
      const refused = await login(browser, authenticator.get(await options(browser), odd));
      assert.equal(refused.status, 401, JSON.stringify(odd));
    }
    const asked = await options(browser);
    assert.equal((await login(browser, authenticator.get({ ...asked, challenge: 'bWFkZSB1cA' }))).status, 401);
    panel.clock.advance(301);
    assert.equal((await login(browser, authenticator.get(asked))).status, 401);
    assert.equal((await login(browser, authenticator.get(await options(browser)))).status, 200);
  });

  it('works while the guesses of an attacker lock the password', async () => {
    const { authenticator } = await withPasskey('besieged');
    const guess = () =>
      panel.browser().ask('POST', '/api/v1/auth/login', { body: { name: 'besieged', password: 'a wrong guess' } });
    let last = await guess();
    for (let tries = 0; tries < 10 && last.status === 401; tries++) last = await guess();
    assert.equal(last.status, 429);
    const browser = panel.browser();
    assert.equal((await login(browser, authenticator.get(await options(browser)))).status, 200);
  });

  it('is refused for a disabled person, and for a passkey that was removed', async () => {
    const { browser, authenticator, profile } = await withPasskey('leaving');
    const stranger = panel.browser();
    const answer = authenticator.get(await options(stranger));
    const { id } = profile.user;
    await owner.must(200, 'PATCH', `/api/v1/users/${id}`, { body: { disabled: true } });
    assert.equal((await login(stranger, answer)).status, 401);
    await owner.must(200, 'PATCH', `/api/v1/users/${id}`, { body: { disabled: false } });
    assert.equal((await login(browser, authenticator.get(await options(stranger)))).status, 200);
    const left = await browser.must<Profile>(200, 'DELETE', `${PASSKEYS}/${profile.passkeys[0]?.id}`);
    assert.deepEqual(left.passkeys, []);
    assert.equal((await browser.ask('DELETE', `${PASSKEYS}/${profile.passkeys[0]?.id}`)).status, 404);
    const after = panel.browser();
    assert.equal((await login(after, authenticator.get(await options(after)))).status, 401);
  });

  it('confirms the identity of its own person alone', async () => {
    const { browser, authenticator } = await withPasskey('proving');
    const eve = await withPasskey('eve');
    panel.clock.advance(11 * 60);
    assert.equal((await browser.ask('POST', `${PASSKEYS}/options`, { body: {} })).body.code, 'confirmation_required');
    const confirm = (passkey: Options) => browser.ask('POST', '/api/v1/auth/confirm', { body: { passkey } });
    assert.equal((await confirm(eve.authenticator.get(await options(browser)))).status, 401);
    assert.equal((await confirm(authenticator.get(await options(browser)))).status, 200);
    await begin(browser);
  });

  it('takes a new one once for each beginning, from the same session, and within five minutes', async () => {
    const browser = await panel.person(owner, { name: 'adding' });
    const authenticator = new SoftwareAuthenticator(panel.url);
    const begun = await begin(browser);
    const answer = authenticator.create(begun);
    // Another session of the same person did not begin it.
    assert.equal((await add(await panel.signIn('adding'), answer)).status, 401);
    const answers = await Promise.all([add(browser, answer), add(browser, answer)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 401]);
    const spoilt = await begin(browser);
    assert.equal((await add(browser, authenticator.create(spoilt, { unverified: true }))).status, 401);
    assert.equal((await add(browser, authenticator.create(spoilt))).status, 401, 'a failure uses the challenge up');
    const slow = await begin(browser);
    panel.clock.advance(301);
    assert.equal((await add(browser, authenticator.create(slow))).status, 401);
  });

  it('has at most twenty of one person', async () => {
    const browser = await panel.person(owner, { name: 'collector' });
    const authenticator = new SoftwareAuthenticator(panel.url);
    for (let count = 0; count < MAX_PASSKEYS; count++) {
      assert.equal((await add(browser, authenticator.create(await begin(browser)), `key ${count}`)).status, 201);
    }
    const full = await browser.ask('POST', `${PASSKEYS}/options`, { body: {} });
    assert.equal(full.body.code, 'too_many');
  });

  it('completes a sign-in whose second factor is missing', async () => {
    const { browser, authenticator } = await withPasskey('halfway');
    const { secret } = await browser.must<{ secret: string }>(200, 'POST', '/api/v1/profile/totp', { body: {} });
    const code = new TOTP({ secret }).generate({ timestamp: panel.clock.now() });
    await browser.must(200, 'POST', '/api/v1/profile/totp/finish', { body: { code } });
    const other = await panel.signIn('halfway', PASSWORD);
    const state = await other.state();
    assert.ok(state.state === 'halfway' && state.methods.includes('passkey'));
    assert.equal((await login(other, authenticator.get(await options(other)))).body.state, 'signed_in');
  });
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Profile, SignInState } from '@meshwork/contract';
import { TOTP, URI } from 'otpauth';
import { wrongCode } from '../../../../test/sign-in/wrong-code.ts';
import { PASSWORD, type TestBrowser, TestPanel } from '../../../../test/testing.ts';

const TOTP_PATH = '/api/v1/profile/totp';

describe('an authenticator as the second factor', () => {
  let panel: TestPanel;
  let owner: TestBrowser;
  before(async () => {
    panel = await TestPanel.start();
    panel.clock.holdStill();
    await panel.owner('grace');
  });
  beforeEach(async () => {
    panel.clock.advance(60); // attempts to sign in are counted by address, and all of these come from one
    owner = await panel.signIn('grace');
  });
  after(() => panel.close());

  /** Half a minute on: the codes before are used up, and the next are new. */
  const nextCode = (totp: TOTP) => {
    panel.clock.advance(30);
    return totp.generate({ timestamp: panel.clock.now() });
  };
  const useAuthenticator = async (browser: TestBrowser) => {
    const { secret } = await browser.must<{ secret: string; uri: string }>(200, 'POST', TOTP_PATH, { body: {} });
    const totp = new TOTP({ secret });
    const body = { code: nextCode(totp) };
    const { recovery_codes } = await browser.must<{ recovery_codes: string[] }>(200, 'POST', `${TOTP_PATH}/finish`, {
      body,
    });
    return { totp, secret, recovery_codes };
  };
  const loginHalfway = async (name: string) => {
    const browser = await panel.signIn(name);
    assert.equal((await browser.state()).state, 'halfway');
    return browser;
  };
  const giveCode = (browser: TestBrowser, code: string) =>
    browser.ask<SignInState>('POST', '/api/v1/auth/login/totp', { body: { code } });

  it('comes into use with its first code, and signing in asks for one from then on', async () => {
    const browser = await panel.person(owner, { name: 'ada' });
    const begun = await browser.must<{ secret: string; uri: string }>(200, 'POST', TOTP_PATH, { body: {} });
    const scanned = URI.parse(begun.uri);
    assert.ok(scanned instanceof TOTP);
    assert.deepEqual([scanned.issuer, scanned.label, scanned.secret.base32], ['Meshwork', 'ada', begun.secret]);
    assert.equal((await browser.must<Profile>(200, 'GET', '/api/v1/profile')).totp.enabled, false);
    assert.equal((await (await panel.signIn('ada')).state()).state, 'signed_in');

    const guess = { code: wrongCode(scanned, panel.clock.now()) };
    const wrong = await browser.ask('POST', `${TOTP_PATH}/finish`, { body: guess });
    assert.equal(wrong.body.code, 'sign_in_failed');
    const code = nextCode(scanned);
    const finished = await browser.must<{ recovery_codes: string[] }>(200, 'POST', `${TOTP_PATH}/finish`, {
      body: { code },
    });
    assert.equal(finished.recovery_codes.length, 10);
    const { totp } = await browser.must<Profile>(200, 'GET', '/api/v1/profile');
    assert.deepEqual(totp, { enabled: true, recovery_codes_left: 10 });
    // Confirmed once; without a new beginning there is nothing to confirm.
    assert.equal((await browser.ask('POST', `${TOTP_PATH}/finish`, { body: { code: nextCode(scanned) } })).status, 401);

    const halfway = await loginHalfway('ada');
    const before = halfway.session;
    assert.equal((await halfway.ask('GET', '/api/v1/profile')).body.code, 'sign_in_required');
    const inside = await giveCode(halfway, nextCode(scanned));
    assert.equal(inside.body.state, 'signed_in');
    assert.notEqual(halfway.session, before);
    const stale = panel.browser();
    stale.cookies.set('mesh_session', before ?? '');
    assert.equal((await stale.state()).state, 'signed_out');
  });

  it('accepts each code once: of two sign-ins with the same code, also concurrent ones, one succeeds', async () => {
    const { totp } = await useAuthenticator(await panel.person(owner, { name: 'once' }));
    const browsers = [await loginHalfway('once'), await loginHalfway('once'), await loginHalfway('once')];
    const code = nextCode(totp);
    const answers = await Promise.all(browsers.map((browser) => giveCode(browser, code)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
  });

  it('can be replaced by each recovery code once, until new ones are made', async () => {
    const browser = await panel.person(owner, { name: 'forgetful' });
    const { recovery_codes } = await useAuthenticator(browser);
    const [first = '', second = '', third = ''] = recovery_codes;
    assert.equal((await giveCode(await loginHalfway('forgetful'), first)).status, 200);
    assert.equal((await giveCode(await loginHalfway('forgetful'), first)).status, 401);
    const racing = [await loginHalfway('forgetful'), await loginHalfway('forgetful')];
    const raced = await Promise.all(racing.map((one) => giveCode(one, second)));
    assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 401]);
    const renewed = await browser.must<{ recovery_codes: string[] }>(200, 'POST', `${TOTP_PATH}/recovery-codes`, {
      body: {},
    });
    assert.equal((await giveCode(await loginHalfway('forgetful'), third)).status, 401);
    assert.equal((await giveCode(await loginHalfway('forgetful'), renewed.recovery_codes[0] ?? '')).status, 200);
    const entries = await panel.trail(owner);
    assert.ok(entries.some(({ action, detail }) => action === 'auth.login_totp' && detail === 'by recovery_code'));
  });

  it('is guessed as slowly as a password, and the password does not give new tries', async () => {
    const { totp } = await useAuthenticator(await panel.person(owner, { name: 'guessed' }));
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries++) {
      const browser = panel.browser();
      const attempt = await browser.ask('POST', '/api/v1/auth/login', {
        body: { name: 'guessed', password: PASSWORD },
      });
      const code = wrongCode(totp, panel.clock.now());
      statuses.push(attempt.status === 200 ? (await giveCode(browser, code)).status : attempt.status);
    }
    assert.ok(statuses.includes(401) && statuses.includes(429), statuses.join());
    panel.clock.advance(15 * 60);
    assert.equal((await giveCode(await loginHalfway('guessed'), nextCode(totp))).status, 200);
  });

  it('is still required after the password: sign-ins without it never end a session to make room', async () => {
    const browser = await panel.person(owner, { name: 'crowded' });
    await useAuthenticator(browser);
    for (let count = 0; count < 51; count++) {
      panel.clock.advance(1);
      await loginHalfway('crowded');
    }
    assert.equal((await browser.state()).state, 'signed_in');
  });

  it('is requested as soon as the password is correct, however long the wait before was', async () => {
    const { totp } = await useAuthenticator(await panel.person(owner, { name: 'slow' }));
    for (let count = 0; count < 14; count++) {
      panel.clock.advance(15 * 60);
      const body = { name: 'slow', password: 'not the password' };
      assert.equal((await panel.browser().ask('POST', '/api/v1/auth/login', { body })).status, 401);
    }
    panel.clock.advance(15 * 60);
    assert.equal((await giveCode(await loginHalfway('slow'), nextCode(totp))).status, 200);
  });

  it('does not count a correct code as a failure while the store is unavailable', async () => {
    await useAuthenticator(await panel.person(owner, { name: 'unlucky' }));
    const store = new DatabaseSync(join(panel.folder, 'panel.db'));
    store.exec(`CREATE TRIGGER away BEFORE INSERT ON documents BEGIN SELECT RAISE(ABORT, 'away'); END`);
    const statuses: number[] = [];
    for (let count = 0; count < 7; count++) {
      const body = { name: 'unlucky', password: PASSWORD };
      statuses.push((await panel.browser().ask('POST', '/api/v1/auth/login', { body })).status);
    }
    store.exec('DROP TRIGGER away');
    store.close();
    assert.deepEqual(new Set(statuses.map((status) => status >= 500)), new Set([true]), statuses.join());
    await loginHalfway('unlucky');
  });

  it('is gone when its owner removes it, and needs a fresh proof for that', async () => {
    const browser = await panel.person(owner, { name: 'leaving' });
    const { totp } = await useAuthenticator(browser);
    panel.clock.advance(11 * 60);
    assert.equal((await browser.ask('DELETE', TOTP_PATH)).body.code, 'confirmation_required');
    const confirm = (body: object) => browser.ask<SignInState>('POST', '/api/v1/auth/confirm', { body });
    assert.equal((await confirm({ password: PASSWORD })).status, 401);
    assert.equal((await confirm({ password: PASSWORD, code: nextCode(totp) })).status, 200);
    const profile = await browser.must<Profile>(200, 'DELETE', TOTP_PATH);
    assert.deepEqual(profile.totp, { enabled: false, recovery_codes_left: 0 });
    assert.equal((await browser.ask('POST', `${TOTP_PATH}/recovery-codes`, { body: {} })).status, 404);
    assert.equal((await (await panel.signIn('leaving')).state()).state, 'signed_in');
    await browser.must(200, 'DELETE', TOTP_PATH);
  });

  it('leaves neither its secret nor a code in the store or the trail', async () => {
    const { secret, recovery_codes } = await useAuthenticator(await panel.person(owner, { name: 'private' }));
    const trail = JSON.stringify(await panel.trail(owner));
    const files = await Promise.all(
      ['panel.db', 'panel.db-wal'].map((name) => readFile(join(panel.folder, name), 'latin1').catch(() => '')),
    );
    for (const text of [trail, ...files]) {
      for (const kept of [secret, ...recovery_codes]) assert.ok(!text.includes(kept));
    }
    assert.ok(files.join().includes('private'), 'what is looked through is the store');
  });
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Problem, Profile, SignInState } from '@meshwork/contract';
import { PASSWORD, type TestBrowser, TestPanel } from '../../../test/harness.ts';

describe('signing in with a password', () => {
  let panel: TestPanel;
  let owner: TestBrowser;
  beforeEach(async () => {
    panel = await TestPanel.start();
    panel.clock.holdStill();
    owner = await panel.owner();
  });
  afterEach(() => panel.close());

  const login = (name: string, password: string, browser = panel.browser()) =>
    browser.ask<SignInState & Problem>('POST', '/api/v1/auth/login', { body: { name, password } });

  it('opens a session with the permissions that the coordinator gives the person', async () => {
    const browser = panel.browser();
    assert.deepEqual(await browser.state(), { state: 'signed_out' });
    const { body, headers } = await login('grace', PASSWORD, browser);
    assert.ok(body.state === 'signed_in');
    assert.ok(body.permissions.includes('nodes:read'));
    assert.equal(body.coordinator.reachable, true);
    assert.match(
      headers.get('set-cookie') ?? '',
      /^mesh_session=session_\w+\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    assert.deepEqual(await browser.state(), body);
  });

  it('gives the same answer to a wrong password and to an unknown name', async () => {
    const [wrong, unknown] = [await login('grace', 'not the password'), await login('unknown', 'not the password')];
    for (const { status, body } of [wrong, unknown]) assert.deepEqual([status, body.code], [401, 'sign_in_failed']);
    assert.equal(wrong.body.detail, unknown.body.detail);
    assert.deepEqual([...wrong.headers.keys()], [...unknown.headers.keys()]);
  });

  it('costs one check of a password, whether or not there is such a person', async () => {
    await owner.must(201, 'POST', '/api/v1/users', {
      body: { name: 'invited', role: 'viewer', scope: { team: '*', surface: '*', environment: '*' } },
    });
    const checks = async () => {
      const { text } = await owner.ask('GET', '/metrics');
      return Number(/^mesh_panel_password_checks (\d+)$/m.exec(text)?.[1]);
    };
    for (const name of ['grace', 'unknown', 'invited', '__proto__', 'GRACE ']) {
      const before = await checks();
      assert.equal((await login(name, 'not the password')).status, 401);
      assert.equal(await checks(), before + 1, name);
    }
  });

  it('waits longer after each failure beyond a few, and the wait is over after a quarter of an hour', async () => {
    const browser = panel.browser();
    const statuses: number[] = [];
    for (let count = 0; count < 7; count++) statuses.push((await login('ada', 'not the password', browser)).status);
    assert.deepEqual(statuses.slice(0, 5), [401, 401, 401, 401, 401]);
    assert.ok(statuses.slice(5).includes(429), statuses.join());
    let longest = 0;
    for (let count = 0; count < 14; count++) {
      panel.clock.advance(16 * 60);
      const tried = await login('ada', 'not the password', browser);
      assert.equal(tried.status, 401);
      const { headers, status } = await login('ada', 'not the password', browser);
      if (status === 429) longest = Math.max(longest, Number(headers.get('retry-after')));
    }
    assert.ok(longest > 800 && longest <= 900, String(longest));
  });

  it('does not lock the person out after failures from elsewhere, and a correct password resets the count', async () => {
    for (let count = 0; count < 5; count++) await login('grace', 'not the password');
    const { status, headers } = await login('grace', PASSWORD);
    assert.equal(status, 429);
    assert.ok(Number(headers.get('retry-after')) <= 2);
    panel.clock.advance(3);
    assert.equal((await login('grace', PASSWORD)).status, 200);
    for (let count = 0; count < 4; count++) assert.equal((await login('grace', 'wrong again, sorry')).status, 401);
    assert.equal((await login('grace', PASSWORD)).status, 200);
  });

  it('counts many attempts at once as many', async () => {
    const got = await Promise.all(Array.from({ length: 12 }, () => login('grace', 'not the password')));
    assert.equal(got.filter(({ status }) => status === 401).length, 5);
    assert.equal(got.filter(({ status }) => status === 429).length, 7);
  });

  it('records every failure and every sign-in in the trail, without the input', async () => {
    await login('grace', 'a wrong and secret one');
    await login('a secret typed as name', 'x');
    await login('grace', PASSWORD);
    await panel.until(async () => (await panel.trail(owner, '&action=auth.login')).length >= 3);
    const entries = await panel.trail(owner, '&action=auth.login');
    const refused = entries.filter(({ outcome }) => outcome === 'refused');
    assert.deepEqual(new Set(refused.map(({ code }) => code)), new Set(['sign_in_failed']));
    assert.ok(refused.some(({ target }) => target?.kind === 'user'));
    assert.equal(entries.find(({ outcome }) => outcome === 'done')?.actor.name, 'grace');
    assert.doesNotMatch(JSON.stringify(entries), /secret/);
  });
});

describe('the own account', () => {
  let panel: TestPanel;
  let owner: TestBrowser;
  beforeEach(async () => {
    panel = await TestPanel.start();
    panel.clock.holdStill();
    owner = await panel.owner();
  });
  afterEach(() => panel.close());

  it('gets a new password, which ends every other session and changes the cookie of this one', async () => {
    const elsewhere = await panel.signIn('grace');
    const stolen = owner.copy();
    const body = { current: PASSWORD, password: 'another, much better phrase' };
    const changed = await owner.must<Profile>(200, 'POST', '/api/v1/profile/password', { body });
    assert.equal(changed.has_password, true);
    assert.equal((await elsewhere.state()).state, 'signed_out');
    assert.equal((await owner.state()).state, 'signed_in');
    assert.equal((await stolen.ask('PATCH', '/api/v1/profile', { body: { appearance: 'dark' } })).status, 403);
    panel.clock.advance(11);
    assert.equal((await stolen.state()).state, 'signed_out');
    assert.equal(
      (await panel.browser().ask('POST', '/api/v1/auth/login', { body: { name: 'grace', password: PASSWORD } })).status,
      401,
    );
    await panel.signIn('grace', body.password);
  });

  it('keeps its password when the current one is incorrect, or the new one is weak', async () => {
    const change = (body: object) => owner.ask('POST', '/api/v1/profile/password', { body });
    assert.equal((await change({ current: 'not it', password: 'another, much better phrase' })).status, 401);
    assert.equal((await change({ current: PASSWORD, password: 'grace1234567' })).status, 422);
    await panel.signIn('grace');
  });

  it('is shown and changed by its person', async () => {
    const changed = await owner.must<Profile>(200, 'PATCH', '/api/v1/profile', {
      body: { display_name: 'Grace Hopper', appearance: 'dark' },
    });
    assert.deepEqual([changed.user.display_name, changed.appearance], ['Grace Hopper', 'dark']);
    assert.deepEqual(await owner.must<Profile>(200, 'GET', '/api/v1/profile'), changed);
    assert.equal((await owner.ask('PATCH', '/api/v1/profile', { body: { role: 'owner' } })).status, 422);
  });
});

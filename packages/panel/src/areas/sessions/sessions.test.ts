import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Session, SignedIn } from '@meshwork/contract';
import { PASSWORD, type TestBrowser, TestPanel } from '../../../test/harness.ts';

describe('a session', () => {
  let panel: TestPanel;
  let owner: TestBrowser;
  beforeEach(async () => {
    panel = await TestPanel.start();
    owner = await panel.owner();
  });
  afterEach(() => panel.close());

  const isIn = async (browser: TestBrowser) => (await browser.ask('GET', '/api/v1/profile')).status === 200;
  const list = async (browser: TestBrowser, query = '') =>
    (await browser.must<{ items: Session[] }>(200, 'GET', `/api/v1/sessions${query}`)).items;

  it('gets a new cookie at each sign-in, whatever cookie the browser sent', async () => {
    const browser = panel.browser();
    const planted = `session_01jcqv5s3ee3xv9k7d0w8m2b4n.${'x'.repeat(43)}`;
    browser.cookies.set('mesh_session', planted);
    await browser.must(200, 'POST', '/api/v1/auth/login', { body: { name: 'grace', password: PASSWORD } });
    assert.notEqual(browser.session, planted);
    const before = browser.copy();
    await browser.must(200, 'POST', '/api/v1/auth/login', { body: { name: 'grace', password: PASSWORD } });
    assert.notEqual(browser.session, before.session);
    assert.equal(await isIn(before), false);
    assert.equal(await isIn(browser), true);
  });

  it('is over for every copy of its cookie when the person signs out', async () => {
    const stolen = owner.copy();
    const { status, headers } = await owner.ask('POST', '/api/v1/auth/logout', { body: {} });
    assert.equal(status, 204);
    assert.match(headers.get('set-cookie') ?? '', /^mesh_session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/);
    assert.equal(await isIn(stolen), false);
    assert.equal(owner.session, undefined);
    assert.equal((await panel.browser().ask('POST', '/api/v1/auth/logout', { body: {} })).status, 204);
  });

  it('takes its coordinator token with it', async () => {
    const { items } = (
      await panel.coordinator.ask<{ items: { id: string; state: string; role: string }[] }>(
        'GET',
        '/v1/auth/tokens?limit=200',
      )
    ).body;
    assert.ok(items.length > 0);
    await owner.ask('POST', '/api/v1/auth/logout', { body: {} });
    await panel.until(async () => {
      const audit = await panel.coordinator.ask<{ items: { action: string }[] }>(
        'GET',
        '/v1/audit?action=delegations.end',
      );
      return audit.body.items.length > 0;
    });
  });

  it('ends after an hour without use, and after a day whatever happens', async () => {
    const idle = await panel.signIn('grace');
    for (let hour = 0; hour < 30; hour++) {
      panel.clock.advance(50 * 60);
      if (!(await isIn(owner))) {
        assert.ok(hour >= 28, `it ended after ${hour} times fifty minutes`);
        break;
      }
      // The use is written down on the side.
      await panel.until(async () => {
        const mine = (await list(owner)).find(({ current }) => current);
        return mine !== undefined && Date.parse(mine.last_seen_at) > panel.clock.now() - 60_000;
      });
      if (hour === 1) assert.equal(await isIn(idle), false);
    }
    assert.equal(await isIn(owner), false);
  });

  it('ends after an hour when only an unattended page sends requests', async () => {
    const unattended = { headers: { 'x-mesh-unattended': '1' } };
    for (let times = 0; times < 2; times++) {
      panel.clock.advance(25 * 60);
      assert.equal((await owner.ask('GET', '/api/v1/profile', unattended)).status, 200);
    }
    panel.clock.advance(15 * 60);
    assert.equal((await owner.ask('GET', '/api/v1/profile', unattended)).status, 401);
  });

  it('survives a restart of the panel', async () => {
    await panel.down();
    await panel.up();
    const moved = owner.copy();
    Object.assign(moved, { url: panel.url });
    assert.equal(await isIn(moved), true);
    assert.equal((await moved.ask('PATCH', '/api/v1/profile', { body: { appearance: 'dark' } })).status, 200);
  });

  it('is listed with the others of its person, and can be ended from any of them', async () => {
    const other = await panel.signIn('grace');
    const sessions = await list(owner);
    assert.equal(sessions.length, 2);
    assert.deepEqual(
      sessions.map(({ current }) => current),
      [false, true],
    );
    assert.equal((await owner.ask('DELETE', `/api/v1/sessions/${sessions[0]?.id}`)).status, 204);
    assert.equal(await isIn(other), false);
    assert.equal((await owner.ask('DELETE', `/api/v1/sessions/${sessions[0]?.id}`)).status, 404);
    await panel.signIn('grace');
    await panel.signIn('grace');
    assert.deepEqual(await owner.must<object>(200, 'DELETE', '/api/v1/sessions'), { ended: 2 });
    assert.equal(await isIn(owner), true);
  });

  it('of another person is listed and ended only with the permission', async () => {
    const ada = await panel.person(owner, { name: 'ada', role: 'auditor' });
    const bob = await panel.person(owner, { name: 'bob', role: 'enroller' });
    const adaId = ((await ada.state()) as SignedIn).user.id;
    const [session] = await list(owner, `?user=${adaId}`);
    assert.equal(session?.user.name, 'ada');
    assert.equal((await list(ada, '?user=*')).length, 3);
    for (const path of ['/api/v1/sessions?user=*', `/api/v1/sessions?user=${adaId}`]) {
      assert.equal((await bob.ask('GET', path)).status, 403, path);
    }
    for (const by of [ada, bob]) {
      const [graces] = await list(owner);
      assert.equal((await by.ask('DELETE', `/api/v1/sessions/${graces?.id}`)).status, 403);
    }
    assert.equal((await owner.ask('DELETE', `/api/v1/sessions/${session?.id}`)).status, 204);
    assert.equal(await isIn(ada), false);
    const unknown = 'user_01jcqv5s3ee3xv9k7d0w8m2b4n';
    assert.equal((await owner.ask('GET', `/api/v1/sessions?user=${unknown}`)).status, 404);
    assert.equal((await owner.ask('DELETE', `/api/v1/sessions?user=${unknown}`)).status, 404);
  });

  it('gets a new cookie and ten minutes of step-up when the person confirms their identity', async () => {
    panel.clock.holdStill();
    panel.clock.advance(15 * 60);
    const stolen = owner.copy();
    const wrong = await owner.ask('POST', '/api/v1/auth/confirm', { body: { password: 'not the password' } });
    assert.deepEqual([wrong.status, wrong.body.code], [401, 'sign_in_failed']);
    assert.equal((await owner.ask('POST', '/api/v1/auth/confirm', { body: {} })).status, 422);
    const body = { password: PASSWORD };
    const state = await owner.must<SignedIn>(200, 'POST', '/api/v1/auth/confirm', { body });
    assert.notEqual(state.session.confirmed_until, null);
    assert.notEqual(owner.session, stolen.session);
    // What was on its way may still read, and change nothing, even with the new token.
    assert.equal(await isIn(stolen), true);
    stolen.csrf = owner.csrf;
    assert.equal((await stolen.ask('PATCH', '/api/v1/profile', { body: {} })).status, 403);
    panel.clock.advance(11);
    assert.equal(await isIn(stolen), false);
  });

  it('is listed page by page, the newest first', async () => {
    for (let count = 0; count < 4; count++) {
      panel.clock.advance(1);
      await panel.signIn('grace');
    }
    const whole = (await list(owner)).map(({ id }) => id);
    assert.equal(whole.length, 5);
    assert.deepEqual(whole, whole.toSorted().reverse());
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: { items: Session[]; next_cursor: string | null } = await owner.must(
        200,
        'GET',
        `/api/v1/sessions?limit=2${query}`,
      );
      paged.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    assert.deepEqual(paged, whole);
  });

  it('makes room for a new one when its person has very many', async () => {
    panel.clock.advance(60);
    for (let count = 0; count < 55; count++) {
      panel.clock.advance(2);
      await panel.signIn('grace');
    }
    assert.equal(await isIn(owner), false);
    assert.equal((await list(await panel.signIn('grace'), '?limit=200')).length, 50);
  });
});

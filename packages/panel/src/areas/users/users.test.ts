import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Invitation, Problem, SignedIn, User } from '@meshwork/contract';
import { ALL, PASSWORD, type TestBrowser, TestPanel } from '../../../test/harness.ts';

const PLATFORM = { team: 'platform', surface: '*', environment: '*' };

async function idOf(browser: TestBrowser): Promise<string> {
  const state = await browser.state();
  assert.ok(state.state === 'signed_in');
  return state.user.id;
}

describe('people', () => {
  let panel: TestPanel;
  let owner: TestBrowser;
  beforeEach(async () => {
    panel = await TestPanel.start();
    owner = await panel.owner();
  });
  afterEach(() => panel.close());

  const invite = (by: TestBrowser, given: object) =>
    by.ask<Invitation & Problem>('POST', '/api/v1/users', {
      body: { name: 'ada', role: 'viewer', scope: ALL, ...given },
    });
  const change = (by: TestBrowser, id: string, body: object, headers = {}) =>
    by.ask<User & Problem>('PATCH', `/api/v1/users/${id}`, { body, headers });

  it('join by an invitation, once, within a week', async () => {
    const { body: invitation, status, headers } = await invite(owner, { display_name: 'Ada' });
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `/api/v1/users/${invitation.user.id}`);
    assert.equal(invitation.url, `${panel.url}/invitation#${invitation.code}`);
    const browser = panel.browser();
    const look = { body: { code: invitation.code } };
    const shown = await browser.must<{ name: string }>(200, 'POST', '/api/v1/invitation/look', look);
    assert.equal(shown.name, 'ada');
    const accept = { body: { code: invitation.code, password: PASSWORD } };
    const [first, second] = await Promise.all([
      browser.ask<SignedIn>('POST', '/api/v1/invitation', accept),
      panel.browser().ask('POST', '/api/v1/invitation', accept),
    ]);
    assert.deepEqual([first.status, second.status].sort(), [201, 401]);
    assert.equal((await panel.browser().ask('POST', '/api/v1/invitation', accept)).status, 401);
    const late = (await invite(owner, { name: 'late' })).body;
    panel.clock.advance(7 * 24 * 3600);
    const got = await panel
      .browser()
      .ask('POST', '/api/v1/invitation', { body: { code: late.code, password: PASSWORD } });
    assert.deepEqual([got.status, got.body.code], [401, 'invitation_invalid']);
  });

  it('have names of their own', async () => {
    await invite(owner, {});
    assert.equal((await invite(owner, {})).body.code, 'already_exists');
    assert.equal((await invite(owner, { name: 'Ada' })).status, 422);
    const two = await Promise.all([invite(owner, { name: 'bob' }), invite(owner, { name: 'bob' })]);
    assert.deepEqual(two.map(({ status }) => status).sort(), [201, 409]);
  });

  it('cannot be given a role that is not there, or the panel’s own', async () => {
    for (const role of ['panel', 'unknown', '']) assert.equal((await invite(owner, { role })).status, 422, role);
  });

  it('are not invited by a caller with fewer permissions or a narrower scope', async () => {
    await panel.coordinator.ask('POST', '/v1/auth/roles', {
      body: { name: 'hr', description: 'People only.', permissions: ['users:read', 'users:write', 'nodes:read'] },
    });
    const hr = await panel.person(owner, { name: 'hr', role: 'hr' });
    assert.equal((await invite(hr, { role: 'owner' })).body.code, 'exceeds_own_rights');
    assert.equal((await invite(hr, { role: 'operator' })).body.code, 'exceeds_own_rights');
    assert.equal((await invite(hr, { role: 'hr' })).status, 201);
    const narrow = await panel.person(owner, { name: 'narrow', role: 'owner', scope: PLATFORM });
    assert.equal((await invite(narrow, { name: 'wide', role: 'viewer', scope: ALL })).body.code, 'exceeds_own_rights');
    assert.equal((await invite(narrow, { name: 'near', role: 'viewer', scope: PLATFORM })).status, 201);
    const operator = await panel.person(owner, { name: 'operator' });
    assert.equal((await invite(operator, { name: 'x', role: 'owner' })).body.code, 'permission_denied');
  });

  it('outside the own scope are not found, and those who are stronger are not touched', async () => {
    const narrow = await panel.person(owner, { name: 'narrow', role: 'owner', scope: PLATFORM });
    const ownerId = await idOf(owner);
    const { items } = await narrow.must<{ items: User[] }>(200, 'GET', '/api/v1/users');
    assert.deepEqual(
      items.map(({ name }) => name),
      ['narrow'],
    );
    assert.equal((await narrow.ask('GET', `/api/v1/users/${ownerId}`)).status, 404);
    assert.equal((await change(narrow, ownerId, { disabled: true })).status, 404);
    assert.equal((await narrow.ask('DELETE', `/api/v1/users/${ownerId}`)).status, 404);
    await panel.coordinator.ask('POST', '/v1/auth/roles', {
      body: { name: 'hr', description: 'People only.', permissions: ['users:read', 'users:write'] },
    });
    const hr = await panel.person(owner, { name: 'hr', role: 'hr' });
    assert.equal((await change(hr, ownerId, { disabled: true })).body.code, 'exceeds_own_rights');
    assert.equal((await hr.ask('DELETE', `/api/v1/users/${ownerId}`)).body.code, 'exceeds_own_rights');
    assert.equal((await hr.ask('POST', `/api/v1/users/${ownerId}/invitation`, { body: {} })).status, 403);
    assert.equal((await hr.ask('DELETE', `/api/v1/sessions?user=${ownerId}`)).body.code, 'exceeds_own_rights');
  });

  it('cannot raise their own rights', async () => {
    const id = await idOf(owner);
    for (const body of [{ role: 'viewer' }, { scope: PLATFORM }, { disabled: true }]) {
      assert.equal((await change(owner, id, body)).body.code, 'exceeds_own_rights');
    }
    assert.equal((await change(owner, id, { display_name: 'Grace' })).status, 200);
    assert.equal((await owner.ask('POST', `/api/v1/users/${id}/invitation`, { body: {} })).status, 403);
    assert.equal((await owner.ask('DELETE', `/api/v1/users/${id}`)).body.code, 'last_owner');
  });

  it('lose what they may do at once when their role changes', async () => {
    const ada = await panel.person(owner, { name: 'ada', role: 'auditor' });
    assert.equal((await ada.ask('GET', '/api/v1/users')).status, 200);
    assert.equal((await change(owner, await idOf(ada), { role: 'enroller' })).status, 200);
    assert.equal((await ada.ask('GET', '/api/v1/users')).status, 403);
    assert.equal((await change(owner, await idOf(ada), { role: 'auditor' })).status, 200);
    assert.equal((await ada.ask('GET', '/api/v1/users')).status, 200);
  });

  it('are signed out at once when they are disabled, and can sign in again when they are enabled', async () => {
    const ada = await panel.person(owner, { name: 'ada' });
    const id = await idOf(ada);
    const before = ada.copy();
    assert.equal((await change(owner, id, { disabled: true })).body.state, 'disabled');
    assert.equal((await ada.ask('GET', '/api/v1/profile')).status, 401);
    const login = { body: { name: 'ada', password: PASSWORD } };
    assert.equal((await ada.ask('POST', '/api/v1/auth/login', login)).status, 401);
    assert.equal((await change(owner, id, { disabled: false })).body.state, 'active');
    assert.equal((await before.ask('GET', '/api/v1/profile')).status, 401, 'what ended does not come back');
    assert.equal((await ada.ask('POST', '/api/v1/auth/login', login)).status, 200);
    const { user, code } = (await invite(owner, { name: 'bob' })).body;
    await change(owner, user.id, { disabled: true });
    assert.equal((await change(owner, user.id, { disabled: false })).body.state, 'invited');
    const accept = { body: { code, password: PASSWORD } };
    assert.equal((await panel.browser().ask('POST', '/api/v1/invitation', accept)).status, 401);
  });

  it('set up their sign-in again by a new link, and the old password stops working', async () => {
    const ada = await panel.person(owner, { name: 'ada' });
    const path = `/api/v1/users/${await idOf(ada)}/invitation`;
    const again = await owner.must<Invitation>(201, 'POST', path, { body: {} });
    assert.equal(again.user.state, 'invited');
    assert.deepEqual(again.user.signs_in_by, []);
    assert.equal((await ada.state()).state, 'signed_out');
    assert.equal(
      (await ada.ask('POST', '/api/v1/auth/login', { body: { name: 'ada', password: PASSWORD } })).status,
      401,
    );
    const newest = await owner.must<Invitation>(201, 'POST', path, { body: {} });
    const accept = (code: string) => ({ body: { code, password: 'quite another phrase for ada' } });
    assert.equal((await ada.ask('POST', '/api/v1/invitation', accept(again.code))).status, 401);
    assert.equal((await ada.ask('POST', '/api/v1/invitation', accept(newest.code))).status, 201);
  });

  it('are changed only as they were read, when that is asked for', async () => {
    const { user } = (await invite(owner, {})).body;
    const { headers } = await owner.ask('GET', `/api/v1/users/${user.id}`);
    const etag = headers.get('etag') ?? '';
    assert.equal((await change(owner, user.id, { display_name: 'One' }, { 'if-match': etag })).status, 200);
    const late = await change(owner, user.id, { display_name: 'Two' }, { 'if-match': etag });
    assert.deepEqual([late.status, late.body.code], [412, 'revision_mismatch']);
  });

  it('are gone when they are removed, and their name is free', async () => {
    const ada = await panel.person(owner, { name: 'ada' });
    const id = await idOf(ada);
    assert.equal((await owner.ask('DELETE', `/api/v1/users/${id}`)).status, 204);
    assert.equal((await owner.ask('GET', `/api/v1/users/${id}`)).status, 404);
    assert.equal((await ada.state()).state, 'signed_out');
    await panel.person(owner, { name: 'ada' });
    const entries = await panel.trail(owner, `&target=${id}`);
    assert.deepEqual(new Set(entries.map(({ action }) => action)), new Set(['users.create', 'users.remove']));
  });

  it('are listed in pages, and found by state, role and name', async () => {
    for (const name of ['ada', 'bob', 'eve']) {
      panel.clock.advance(1); // they are listed in the order they came, and of one millisecond in any order
      await invite(owner, { name, role: name === 'eve' ? 'auditor' : 'viewer' });
    }
    const page = await owner.must<{ items: User[]; next_cursor: string }>(200, 'GET', '/api/v1/users?limit=3');
    assert.deepEqual(
      page.items.map(({ name }) => name),
      ['grace', 'ada', 'bob'],
    );
    const rest = await owner.must<{ items: User[]; next_cursor: null }>(
      200,
      'GET',
      `/api/v1/users?cursor=${page.next_cursor}`,
    );
    assert.deepEqual([rest.items.map(({ name }) => name), rest.next_cursor], [['eve'], null]);
    for (const [query, names] of Object.entries({
      'state=active': ['grace'],
      'role=auditor': ['eve'],
      'q=BO': ['bob'],
    })) {
      const { items } = await owner.must<{ items: User[] }>(200, 'GET', `/api/v1/users?${query}`);
      assert.deepEqual(
        items.map(({ name }) => name),
        names,
      );
    }
  });
});

describe('the last owner', () => {
  let panel: TestPanel;
  let grace: TestBrowser;
  before(async () => {
    panel = await TestPanel.start();
    grace = await panel.owner();
  });
  after(() => panel.close());

  it('remains, also when two owners demote or remove each other at once', async () => {
    for (const attack of ['demote', 'disable', 'remove'] as const) {
      for (let round = 0; round < 5; round++) {
        panel.clock.advance(30);
        const other = await panel.person(grace, { name: `${attack}-${round}`, role: 'owner' });
        const [graceId, otherId] = [await idOf(grace), await idOf(other)];
        const strike = (by: TestBrowser, id: string) =>
          attack === 'remove'
            ? by.ask('DELETE', `/api/v1/users/${id}`)
            : by.ask('PATCH', `/api/v1/users/${id}`, {
                body: attack === 'demote' ? { role: 'viewer' } : { disabled: true },
              });
        const [a, b] = await Promise.all([strike(grace, otherId), strike(other, graceId)]);
        const won = [a, b].filter(({ status }) => status < 300);
        assert.equal(won.length, 1, `${attack}: ${a.text} ${b.text}`);
        if (b.status < 300) grace = other; // the owner who remains makes the next round
      }
    }
  });

  it('is not needed for that: an owner who has just been demoted cannot demote another', async () => {
    panel.clock.advance(60);
    await grace.must(200, 'POST', '/api/v1/auth/confirm', { body: { password: PASSWORD } });
    await panel.person(grace, { name: 'witness', role: 'owner' });
    for (let round = 0; round < 5; round++) {
      panel.clock.advance(30);
      const other = await panel.person(grace, { name: `rival-${round}`, role: 'owner' });
      const [graceId, otherId] = [await idOf(grace), await idOf(other)];
      const demote = (by: TestBrowser, id: string) =>
        by.ask('PATCH', `/api/v1/users/${id}`, { body: { role: 'viewer' } });
      const [a, b] = await Promise.all([demote(grace, otherId), demote(other, graceId)]);
      assert.equal([a, b].filter(({ status }) => status === 200).length, 1, `${a.text} ${b.text}`);
      if (b.status === 200) grace = other;
    }
  });
});

/** Entering services that ask people to sign in: what the panel says of a person, and when their sessions there end. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { AuditEntry, Ingress, Problem, User } from '@meshwork/contract';
import { ALL, type TestBrowser, TestPanel } from '../../../test/harness.ts';

const HOST = 'wiki.example.net';
const STATE = 'EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXA';

describe('entering a service', () => {
  let panel: TestPanel;
  let owner: TestBrowser;
  let ada: TestBrowser;
  let ada_id: string;
  before(async () => {
    panel = await TestPanel.start();
    owner = await panel.owner('grace');
    ada = await panel.person(owner, { name: 'ada', role: 'visitor' });
    ada_id = (await ada.must<{ user: User }>(200, 'GET', '/api/v1/profile')).user.id;
    await panel.coordinator.ask<Ingress>('POST', '/v1/ingress', {
      body: {
        name: 'wiki',
        hostname: HOST,
        service: 'wiki',
        scope: ALL,
        gateways: ['tag:role:gateway'],
        sign_in: { groups: ['staff'] },
      },
    });
  });
  beforeEach(async () => {
    panel.clock.advance(60);
    owner = await panel.signIn('grace');
    ada = await panel.signIn('ada');
  });
  after(() => panel.close());

  const enter = (browser: TestBrowser, over: object = {}) =>
    browser.ask<{ url: string } & Problem>('POST', '/api/v1/auth/enter', {
      body: { hostname: HOST, state: STATE, to: '/x?y=1', ...over },
    });
  const change = (body: object, by = owner) => by.ask<User & Problem>('PATCH', `/api/v1/users/${ada_id}`, { body });
  /** Whether a change ends the sessions of a person at services: a pass is never from before the last end. */
  const ending = async (what: () => Promise<unknown>) => {
    panel.clock.advance(60);
    await what();
    const token = (await readFile(join(panel.coordinator.folder, 'panel-token'), 'utf8')).trim();
    const body = {
      person: { id: ada_id, name: 'ada' },
      user: 'ada',
      groups: ['staff'],
      scope: ALL,
      hostname: HOST,
      state: STATE,
    };
    let isAhead = false;
    for (let round = 0; round < 20 && !isAhead; round++) {
      const { pass } = (await panel.coordinator.ask<{ pass: string }>('POST', '/v1/auth/passes', { token, body })).body;
      isAhead = claimsOf(pass).made_ms > panel.clock.now() + 1000;
      if (!isAhead) await pause(20);
    }
    return isAhead;
  };
  const claimsOf = (pass: string) => JSON.parse(Buffer.from(pass.split('.')[0] ?? '', 'base64url').toString());

  it('takes a group that may, and leads back to the service with a pass', async () => {
    const refused = await enter(ada);
    assert.deepEqual([refused.status, refused.body.code], [403, 'entry_refused']);
    const changed = await change({ groups: ['staff', 'ops'] });
    assert.deepEqual([changed.status, changed.body.groups, changed.body.provider_groups], [200, ['staff', 'ops'], []]);
    const { status, body, text } = await enter(ada);
    assert.equal(status, 200, text);
    const url = new URL(body.url);
    assert.equal(`${url.origin}${url.pathname}`, `https://${HOST}/.meshwork/sign-in`);
    assert.equal(url.searchParams.get('to'), '/x?y=1');
    const pass = url.searchParams.get('pass') ?? '';
    const claims = claimsOf(pass);
    assert.deepEqual(
      [claims.person, claims.user, claims.groups, claims.state],
      [ada_id, 'ada', ['staff', 'ops'], STATE],
    );
    const trail = await panel.trail(owner);
    assert.ok(!JSON.stringify(trail).includes(pass), 'no pass is in the trail');
    assert.ok(trail.some(({ actor, code }) => actor.name === 'ada' && code === 'entry_refused'));
  });

  it('leads nowhere else', async () => {
    for (const over of [
      { hostname: 'evil.example' },
      { hostname: `${HOST}.evil.example` },
      { hostname: `${HOST}@evil.example` },
      { to: 'https://evil.example/' },
      { to: '/\r\nx' },
      { state: 'short' },
    ]) {
      assert.ok([404, 422].includes((await enter(ada, over)).status), JSON.stringify(over));
    }
    const { body } = await enter(ada, { to: '//evil.example/' });
    assert.equal(new URL(body.url).hostname, HOST);
    assert.equal((await enter(panel.browser())).status, 401);
  });

  it('says to the coordinator where people sign in', async () => {
    const { body } = await panel.coordinator.ask<{ items: AuditEntry[] }>(
      'GET',
      '/v1/audit?action=delegations.announce&limit=10',
    );
    assert.deepEqual(
      body.items.map(({ detail }) => detail),
      [`people sign in at ${new URL(panel.url).origin}`],
    );
  });

  it('lets only those change groups whose scope is the whole mesh', async () => {
    const narrow = await panel.person(owner, { name: 'narrow', role: 'owner', scope: { ...ALL, team: 'shop' } });
    const invited = (groups: readonly string[]) =>
      narrow.ask<Problem>('POST', '/api/v1/users', {
        body: { name: `x${groups.length}`, role: 'visitor', scope: { ...ALL, team: 'shop' }, groups },
      });
    assert.deepEqual([(await invited(['staff'])).body.code, (await invited([])).status], ['exceeds_own_rights', 201]);
    assert.equal((await change({ groups: ['a,b'] })).status, 422);
  });

  it('ends with groups, rights and sessions, and with nothing else', async () => {
    assert.equal(await ending(() => change({ display_name: 'Ada L.' })), false);
    assert.equal(await ending(() => change({ groups: ['staff', 'ops', 'more'] })), false, 'one more group');
    assert.equal(await ending(() => change({ groups: ['staff'] })), true, 'fewer groups');
    assert.equal(await ending(() => change({ role: 'viewer', keep_tokens: true })), true, 'another role');
    assert.equal(await ending(() => ada.ask('DELETE', '/api/v1/sessions')), true, 'signed out everywhere');
    assert.equal(await ending(() => change({ disabled: true, keep_tokens: true })), true, 'disabled');
    assert.equal((await change({ disabled: false })).status, 200);
    assert.equal((await enter(await panel.signIn('ada'))).status, 200);
    assert.equal(await ending(() => owner.ask('DELETE', `/api/v1/users/${ada_id}?keep_tokens=true`)), true, 'removed');
  });
});

/** Automation administers people with a scoped token: without a cookie, within its rights, and no further. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  type Invitation,
  isMutation,
  PANEL_OPERATION_IDS,
  PANEL_OPERATIONS,
  type PanelOperation,
  type Problem,
  type Session,
  type TokenWithSecret,
  tokenPermissionOf,
  type User,
} from '@meshwork/contract';
import { ALL, type Ask, PASSWORD, type TestBrowser, TestPanel } from './harness.ts';
import { TcpRelay } from './tcp-relay.ts';

const PLATFORM = { team: 'platform', surface: '*', environment: '*' };

let relay: TcpRelay;
let panel: TestPanel;
let owner: TestBrowser;
/** May do everything to people whose scope is the platform's. */
let hr: TokenWithSecret;
before(async () => {
  relay = await TcpRelay.open();
  panel = await TestPanel.start({ MESH_COORDINATOR_URL: relay.url, MESH_PANEL_TRUSTED_PROXIES: '127.0.0.1' });
  relay.target = panel.coordinator.url;
  owner = await panel.owner();
  const permissions = ['users:read', 'users:write', 'nodes:read'];
  await panel.coordinator.ask('POST', '/v1/auth/roles', { body: { name: 'hr', permissions } });
  await panel.coordinator.ask('POST', '/v1/auth/roles', { body: { name: 'reader', permissions: ['users:read'] } });
  hr = await panel.coordinator.token({ name: 'hr bot', role: 'hr', scope: PLATFORM });
});
after(async () => {
  await panel.close();
  await relay.close();
});
beforeEach(() => panel.clock.advance(30)); // so that no test reaches the limits of one address by itself

/** As a script calls: nothing of a browser, and one header. */
function ask<T = Problem>(token: string | undefined, method: string, path: string, given: Ask = {}) {
  const authorization = token === undefined ? undefined : `Bearer ${token}`;
  const headers = { origin: undefined, authorization, ...given.headers };
  return panel.browser().ask<T>(method, path, { ...given, headers });
}

async function invited(token: string, given: object): Promise<Invitation> {
  const body = { role: 'hr', scope: PLATFORM, ...given };
  const got = await ask<Invitation>(token, 'POST', '/api/v1/users', { body });
  assert.equal(got.status, 201, got.text);
  return got.body;
}

describe('a scoped token', () => {
  it('invites, changes, invites again, disables and removes people, and the trail names it', async () => {
    const { user, url, code } = await invited(hr.secret, { name: 'ada' });
    assert.equal(url, `${panel.url}/invitation#${code}`);
    assert.deepEqual(user.created_by, { kind: 'token', id: hr.id, name: 'hr bot' });
    const path = `/api/v1/users/${user.id}`;
    const shown = await ask<User>(hr.secret, 'GET', path);
    assert.equal(shown.body.name, 'ada');
    const patch = (body: object) => ask<User>(hr.secret, 'PATCH', path, { body });
    assert.equal((await patch({ display_name: 'Ada' })).body.display_name, 'Ada');
    assert.equal((await ask(hr.secret, 'POST', `${path}/invitation`, { body: {} })).status, 201);
    assert.equal((await patch({ disabled: true })).body.state, 'disabled');
    assert.equal((await ask(hr.secret, 'DELETE', path)).status, 204);
    const entries = await panel.trail(owner, `&target=${user.id}`);
    assert.deepEqual(
      entries.map(({ action, actor }) => [action, actor.kind, actor.id, actor.name]).toReversed(),
      ['users.create', 'users.update', 'users.invite_again', 'users.update', 'users.remove'].map((action) => [
        action,
        'token',
        hr.id,
        'hr bot',
      ]),
    );
    assert.equal((await panel.trail(owner, `&actor=${hr.id}`)).length, entries.length);
  });

  it('is never asked for a fresh proof', async () => {
    panel.clock.advance(3600);
    await invited(hr.secret, { name: 'late' });
    owner = await panel.signIn('grace');
  });

  it('lists and ends the sessions of people it may touch', async () => {
    const near = await panel.person(owner, { name: 'near', role: 'reader', scope: PLATFORM });
    const list = (query = '') => ask<{ items: Session[] }>(hr.secret, 'GET', `/api/v1/sessions${query}`);
    const [session] = (await list()).body.items;
    assert.deepEqual([session?.user.name, session?.current], ['near', false], 'all that it may see, without a word');
    assert.equal((await list(`?user=${session?.user.id}`)).body.items.length, 1);
    assert.equal((await ask(hr.secret, 'DELETE', '/api/v1/sessions')).body.code, 'invalid', 'it has none of its own');
    assert.equal((await ask(hr.secret, 'DELETE', `/api/v1/sessions/${session?.id}`)).status, 204);
    assert.equal((await near.state()).state, 'signed_out');
    await panel.signIn('near');
    const all = await ask<{ ended: number }>(hr.secret, 'DELETE', `/api/v1/sessions?user=${session?.user.id}`);
    assert.equal(all.body.ended, 1);
    const { items } = await owner.must<{ items: Session[] }>(200, 'GET', '/api/v1/sessions');
    const foreign = await ask(hr.secret, 'DELETE', `/api/v1/sessions/${items[0]?.id}`);
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'not_found']);
  });

  it('neither creates nor changes a person with more permissions or a wider scope, and finds none outside its scope', async () => {
    const invite = (body: object) => ask(hr.secret, 'POST', '/api/v1/users', { body });
    const strong = { name: 'strong', role: 'owner', scope: PLATFORM };
    assert.equal((await invite(strong)).body.code, 'exceeds_own_rights');
    assert.equal((await invite({ name: 'wide', role: 'hr', scope: ALL })).body.code, 'exceeds_own_rights');
    const { user } = await invited(hr.secret, { name: 'bob' });
    const path = `/api/v1/users/${user.id}`;
    assert.equal((await ask(hr.secret, 'PATCH', path, { body: { role: 'owner' } })).body.code, 'exceeds_own_rights');
    assert.equal((await ask(hr.secret, 'PATCH', path, { body: { scope: ALL } })).body.code, 'exceeds_own_rights');
    const { items } = await owner.must<{ items: User[] }>(200, 'GET', '/api/v1/users?q=grace');
    const grace = `/api/v1/users/${items[0]?.id}`;
    assert.equal((await ask(hr.secret, 'GET', grace)).status, 404);
    assert.equal((await ask(hr.secret, 'DELETE', grace)).status, 404);
    const wide = await panel.coordinator.token({ role: 'hr' });
    assert.equal((await ask(wide.secret, 'DELETE', grace)).body.code, 'exceeds_own_rights');
    const last = await ask(panel.coordinator.owner, 'DELETE', grace);
    assert.deepEqual([last.status, last.body.code], [409, 'last_owner']);
    assert.equal((await panel.trail(owner, `&actor=${wide.id}`))[0]?.code, 'exceeds_own_rights');
  });

  it('is refused at once when it is revoked, with the reason', async () => {
    const token = await panel.coordinator.token({ role: 'hr' });
    assert.equal((await ask(token.secret, 'GET', '/api/v1/users')).status, 200);
    await panel.coordinator.ask('DELETE', `/v1/auth/tokens/${token.id}`);
    const got = await ask(token.secret, 'GET', '/api/v1/users');
    assert.deepEqual([got.status, got.body.code], [401, 'token_revoked']);
  });

  it('is refused when it is a delegation, or the panel’s own token', async () => {
    const delegated = await panel.coordinator.person({ role: 'owner' });
    assert.equal((await ask(delegated.secret, 'GET', '/api/v1/users')).body.code, 'credentials_invalid');
    assert.equal((await ask(panel.coordinator.panel, 'GET', '/api/v1/users')).body.code, 'permission_denied');
  });

  it('beside a session needs the token against forged requests, and is then who calls', async () => {
    const authorization = `Bearer ${hr.secret}`;
    const body = { name: 'both', role: 'hr', scope: PLATFORM };
    const forged = { body, headers: { authorization, 'x-csrf-token': undefined } };
    assert.equal((await owner.ask('POST', '/api/v1/users', forged)).body.code, 'csrf_failed');
    const { user } = (await owner.ask<Invitation>('POST', '/api/v1/users', { body, headers: { authorization } })).body;
    assert.equal(user.created_by.id, hr.id);
    const elsewhere = { body, headers: { authorization, origin: 'https://evil.example' } };
    assert.equal((await owner.ask('POST', '/api/v1/users', elsewhere)).body.code, 'origin_refused');
  });

  it('is not taken from what is no token, before the coordinator is asked', async () => {
    const wrong = ['mesh_nonsense', 'x'.repeat(600), `${hr.secret} `, `${hr.secret}, Bearer ${hr.secret}`, 'mesh_é'];
    relay.asked = '';
    for (const token of wrong) {
      const got = await ask(token, 'GET', '/api/v1/users', { headers: { authorization: `Bearer ${token}` } });
      if (token.endsWith(' ')) assert.equal(got.status, 200, 'HTTP takes blanks at the end away');
      else assert.deepEqual([got.status, got.body.code], [401, 'credentials_invalid'], token);
    }
    const asked = relay.asked.matchAll(/^authorization: (.*)\r$/gim).map(([, credentials]) => credentials);
    // The panel also asks about itself, whenever it looks whether the coordinator is there.
    const about = asked.filter((credentials) => credentials !== `Bearer ${panel.coordinator.panel}`);
    assert.deepEqual([...about], [`Bearer ${hr.secret}`], 'of the one that was a token');
  });

  it('is limited by address and by itself, before the coordinator is asked', async () => {
    using _still = panel.clock.holdStill();
    const guess = () => `mesh_${'0'.repeat(26)}_${crypto.randomUUID().padEnd(43, 'x')}_00000000`;
    const many = (token: () => string, from: (index: number) => string) =>
      Promise.all(
        Array.from({ length: 130 }, (_, index) =>
          ask(token(), 'GET', '/api/v1/users', { headers: { 'x-forwarded-for': from(index) } }),
        ),
      );
    relay.asked = '';
    const guessed = await many(guess, () => '192.0.2.1');
    assert.ok(guessed.some(({ body }) => body.code === 'rate_limited'));
    assert.equal(relay.asked.match(/Bearer mesh_0{26}/gi)?.length, 100);
    const own = await many(
      () => hr.secret,
      (index) => `192.0.2.${index + 10}`,
    );
    assert.equal(own.filter(({ status }) => status === 200).length, 100);
    assert.ok(own.every(({ status, body }) => status === 200 || body.code === 'rate_limited'));
  });

  it('gets 503 while the coordinator is away, and works again when it is back', async () => {
    relay.target = undefined;
    relay.dropAll();
    const away = await ask(hr.secret, 'GET', '/api/v1/users');
    assert.deepEqual([away.status, away.body.code, away.body.retryable], [503, 'coordinator_unavailable', true]);
    relay.target = panel.coordinator.url;
    assert.equal((await ask(hr.secret, 'GET', '/api/v1/users')).status, 200);
  });
});

describe('every operation of the panel', () => {
  let none: TokenWithSecret;
  let narrow: TokenWithSecret;
  before(async () => {
    none = await panel.coordinator.token({ role: 'enroller' });
    narrow = await panel.coordinator.token({ role: 'owner', scope: PLATFORM });
  });

  for (const id of PANEL_OPERATION_IDS) {
    const operation: PanelOperation = PANEL_OPERATIONS[id];
    const { method, access, reach } = operation;
    const path = operation.path.replaceAll(/\{(\w+)\}/g, 'none');
    const raw = operation.body === undefined ? {} : { raw: '{"not json' };
    if (access === 'anyone') continue;

    if (tokenPermissionOf(operation) === undefined) {
      it(`${id} is for people alone, whatever a token may do`, async () => {
        const got = await ask(panel.coordinator.owner, method, path, raw);
        assert.deepEqual([got.status, got.body.code], [401, 'sign_in_required']);
      });
      continue;
    }
    it(`${id} is refused to a token without the permission, before its body is read`, async () => {
      const got = await ask(none.secret, method, path, raw);
      assert.deepEqual([got.status, got.body.code], [403, 'permission_denied'], got.text);
    });
    if (reach === 'mesh') {
      it(`${id} is refused to a token of less than the whole mesh`, async () => {
        const got = await ask(narrow.secret, method, path, raw);
        assert.deepEqual([got.status, got.body.code], [403, 'mesh_scope_required'], got.text);
      });
    }
    it(`${id} accepts a token with the permission`, async () => {
      const got = await ask(panel.coordinator.owner, method, path, isMutation(operation) ? raw : {});
      const letIn = [undefined, 'not_found', 'malformed_json', 'invalid'];
      assert.ok(letIn.includes(got.body?.code), `${got.status} ${got.text}`);
    });
  }
});

it('a person who was invited by a token signs in like any other', async () => {
  const { code } = await invited(hr.secret, { name: 'eve' });
  const accepted = await panel.browser().ask('POST', '/api/v1/invitation', { body: { code, password: PASSWORD } });
  assert.equal(accepted.status, 201);
});

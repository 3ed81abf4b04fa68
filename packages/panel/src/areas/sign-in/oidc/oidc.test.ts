import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Profile, User } from '@meshwork/contract';
import { writeNewPrivateFile } from '@meshwork/service';
import { ProviderVisit } from '../../../../test/sign-in/provider-visit.ts';
import { CLIENT_ID, CLIENT_SECRET, TestProvider } from '../../../../test/sign-in/test-provider.ts';
import { type TestBrowser, TestPanel } from '../../../../test/testing.ts';

const ROLES = 'admins=owner, ops=operator@shop/*/production, staff=viewer';

describe('signing in by a provider', () => {
  let folder: string;
  let provider: TestProvider;
  let panel: TestPanel;
  let owner: TestBrowser;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mesh-oidc-'));
    const secret_file = join(folder, 'secret');
    await writeNewPrivateFile(secret_file, `${CLIENT_SECRET}\n`);
    provider = await TestProvider.listen();
    panel = await TestPanel.start({
      MESH_OIDC_ISSUER: provider.issuer,
      MESH_OIDC_CLIENT_ID: CLIENT_ID,
      MESH_OIDC_CLIENT_SECRET_FILE: secret_file,
      MESH_OIDC_NAME: 'Example ID',
      MESH_OIDC_ROLES: ROLES,
    });
    provider.serve(panel.url);
    await panel.owner('grace');
  });
  beforeEach(async () => {
    panel.clock.advance(60); // attempts to sign in are counted by address, and all of these come from one
    owner = await panel.signIn('grace');
  });
  after(async () => {
    await panel.close();
    await provider.close();
    await rm(folder, { recursive: true });
  });

  const begin = async (browser: TestBrowser, body: object = {}) =>
    (await browser.must<{ url: string }>(200, 'POST', '/api/v1/auth/oidc', { body })).url;
  const comeBack = async (browser: TestBrowser, { pathname, search }: URL) => {
    const got = await browser.ask('GET', `${pathname}${search}`);
    assert.equal(got.status, 302, got.text);
    return got;
  };
  /** The whole way, in a browser of its own. */
  const signIn = async (login: string, browser = panel.browser(), body: object = {}) => {
    const back = await new ProviderVisit(provider.issuer).signIn(await begin(browser, body), login);
    const { headers } = await comeBack(browser, back);
    await browser.state(); // the page that it ends on asks where it stands
    return { browser, location: headers.get('location'), back };
  };
  /** Twice: the provider prompts only a person who is signed in here, which confirms their identity. */
  const signInAndProve = async (login: string) => signIn(login, (await signIn(login)).browser);
  const profileOf = (browser: TestBrowser) => browser.must<Profile>(200, 'GET', '/api/v1/profile');
  const people = async () => (await owner.must<{ items: User[] }>(200, 'GET', '/api/v1/users?limit=200')).items;

  it('keeps the groups that the provider names, for services that ask for them', async () => {
    const groups = ['staff', 'ops/db', 'a b', 'a,b', 'x'.repeat(65), 'staff'];
    provider.people.set('1050', { preferred_username: 'gus', groups });
    const { browser } = await signIn('1050');
    const { user } = await profileOf(browser);
    assert.deepEqual([user.groups, user.provider_groups], [[], ['ops/db', 'staff']]);
    const given = { body: { groups: ['wiki'] } };
    assert.equal((await owner.ask('PATCH', `/api/v1/users/${user.id}`, given)).status, 200);
    provider.people.set('1050', { preferred_username: 'gus', groups: ['staff'] });
    const after = (await profileOf((await signIn('1050')).browser)).user;
    assert.deepEqual([after.groups, after.provider_groups], [['wiki'], ['staff']], 'operators give others');
  });

  it('creates an account for a person whose group has a role, with its scope, and recognises them the next time', async () => {
    provider.people.set('1001', { preferred_username: 'Ada', name: 'Ada Lovelace', groups: ['other', 'ops'] });
    const first = await signIn('1001', panel.browser(), { return_to: '/nodes?state=stale#top' });
    assert.equal(first.location, '/nodes?state=stale#top');
    const { user, oidc, has_password } = await profileOf(first.browser);
    assert.deepEqual(
      [user.name, user.display_name, user.role, user.state],
      ['ada', 'Ada Lovelace', 'operator', 'active'],
    );
    assert.deepEqual(user.scope, { team: 'shop', surface: '*', environment: 'production' });
    assert.deepEqual(user.created_by, { kind: 'system', id: null, name: 'oidc' });
    assert.deepEqual([oidc, has_password, user.signs_in_by], ['Ada', false, ['oidc']]);
    const again = await signIn('1001');
    assert.equal(again.location, '/');
    assert.equal((await profileOf(again.browser)).user.id, user.id);
    assert.equal((await people()).filter(({ name }) => name === 'ada').length, 1);
    const entries = await panel.trail(owner);
    assert.ok(entries.some(({ action, detail }) => action === 'auth.oidc_callback' && detail === 'by oidc'));
  });

  it('creates one account for two concurrent first sign-ins of a person', async () => {
    provider.people.set('1002', { preferred_username: 'twice', groups: ['staff'] });
    const [one, other] = [panel.browser(), panel.browser()];
    const ways = await Promise.all(
      [one, other].map(async (browser) => new ProviderVisit(provider.issuer).signIn(await begin(browser), '1002')),
    );
    await Promise.all([comeBack(one, ways[0] as URL), comeBack(other, ways[1] as URL)]);
    assert.equal((await profileOf(one)).user.id, (await profileOf(other)).user.id);
  });

  it('keeps what the browser has to bring back in a sealed cookie, for ten minutes and this path alone', async () => {
    const got = await panel.browser().ask<{ url: string }>('POST', '/api/v1/auth/oidc', { body: {} });
    const [cookie = ''] = got.headers.getSetCookie();
    assert.match(cookie, /^mesh_oidc=[\w-]+; Path=\/api\/v1\/auth\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/);
    const asked = new URL(got.body.url).searchParams;
    assert.equal(asked.get('code_challenge_method'), 'S256');
    for (const name of ['state', 'nonce', 'code_challenge']) assert.ok((asked.get(name) ?? '').length >= 43, name);
    assert.ok(!cookie.includes(asked.get('state') ?? ''));
  });

  it('gives a new session in place of the one the browser had, and forgets the journey', async () => {
    provider.people.set('1003', { preferred_username: 'fixed', groups: ['staff'] });
    const browser = panel.browser();
    browser.cookies.set('mesh_session', 'session_01jcqv5s3ee3xv9k7d0w8m2b4n.planted');
    await signIn('1003', browser);
    assert.doesNotMatch(browser.session ?? '', /planted/);
    assert.ok(!browser.cookies.has('mesh_oidc'));
  });

  it('follows the groups at each sign-in, and ends everything when none is left', async () => {
    provider.people.set('1004', { preferred_username: 'moving', groups: ['staff'] });
    const { browser } = await signIn('1004');
    assert.equal((await profileOf(browser)).user.role, 'viewer');
    provider.people.set('1004', { preferred_username: 'renamed.there', groups: ['ops'] });
    const promoted = await profileOf((await signIn('1004')).browser);
    assert.deepEqual(
      [promoted.user.name, promoted.user.role, promoted.user.scope.team],
      ['moving', 'operator', 'shop'],
    );
    provider.people.set('1004', { preferred_username: 'moving', groups: [] });
    const left = await signIn('1004');
    assert.equal(left.location, '/sign-in?problem=no_role');
    assert.equal(left.browser.session, undefined);
    assert.equal((await browser.state()).state, 'signed_out', 'the session from before is over as well');
    const [entry] = (await panel.trail(owner)).filter(({ outcome }) => outcome === 'refused');
    assert.deepEqual(
      [entry?.code, entry?.target?.kind, entry?.action],
      ['sign_in_failed', 'user', 'auth.oidc_callback'],
    );
  });

  it('refuses a person without a group that has a role, and one without a usable name', async () => {
    provider.people.set('1005', { preferred_username: 'stranger', groups: ['unknown'] });
    assert.equal((await signIn('1005')).location, '/sign-in?problem=no_role');
    provider.people.set('1006', { preferred_username: '<script>', email: 'also not', groups: ['staff'] });
    assert.equal((await signIn('1006')).location, '/sign-in?problem=name_unusable');
    assert.deepEqual(
      (await people()).filter(({ name }) => name === 'stranger'),
      [],
    );
  });

  it('takes over no account: a person with the name of an account that an operator created is refused, whatever their groups', async () => {
    await panel.person(owner, { name: 'local', role: 'viewer' });
    for (const [login, preferred_username] of [
      ['1007', 'local'],
      ['1008', 'GRACE'],
    ] as const) {
      provider.people.set(login, { preferred_username, groups: ['admins'] });
      const { location, browser } = await signIn(login);
      assert.equal(location, '/sign-in?problem=name_taken');
      assert.equal((await browser.state()).state, 'signed_out');
    }
    const roles = (await people()).filter(({ name }) => ['local', 'grace'].includes(name));
    assert.deepEqual(roles.map(({ name, role }) => `${name} ${role}`).sort(), ['grace owner', 'local viewer']);
  });

  it('refuses a person whose account is disabled', async () => {
    provider.people.set('1009', { preferred_username: 'disabled', groups: ['staff'] });
    const { user } = await profileOf((await signIn('1009')).browser);
    await owner.must(200, 'PATCH', `/api/v1/users/${user.id}`, { body: { disabled: true } });
    assert.equal((await signIn('1009')).location, '/sign-in?problem=account_disabled');
  });

  it('leaves the last owner an owner, though the provider says otherwise', async () => {
    provider.people.set('1010', { preferred_username: 'boss', groups: ['admins'] });
    const boss = (await signInAndProve('1010')).browser;
    const grace = (await people()).find(({ name }) => name === 'grace');
    provider.people.set('1010', { preferred_username: 'boss', groups: ['staff'] });
    await boss.must(200, 'PATCH', `/api/v1/users/${grace?.id}`, { body: { role: 'operator' } });
    const demoted = (await signInAndProve('1010')).browser;
    assert.equal((await profileOf(demoted)).user.role, 'owner');
    const kept = (await panel.trail(demoted)).find(({ code }) => code === 'last_owner');
    assert.equal(kept?.actor.name, 'oidc');
    await demoted.must(200, 'PATCH', `/api/v1/users/${grace?.id}`, { body: { role: 'owner' } });
    assert.equal((await profileOf((await signIn('1010')).browser)).user.role, 'viewer');
  });

  it('prompts a person who is signed in, which confirms their identity', async () => {
    provider.people.set('1011', { preferred_username: 'again', groups: ['staff'] });
    const { browser } = await signIn('1011');
    panel.clock.advance(11 * 60);
    assert.equal((await browser.ask('POST', '/api/v1/profile/totp', { body: {} })).body.code, 'confirmation_required');
    const url = await begin(browser, { return_to: '/profile' });
    assert.equal(new URL(url).searchParams.get('prompt'), 'login');
    const back = await new ProviderVisit(provider.issuer).signIn(url, '1011');
    const before = browser.copy();
    // A browser keeps the cookie of the session to itself here: it is another site that sends it.
    browser.cookies.delete('mesh_session');
    assert.equal((await comeBack(browser, back)).headers.get('location'), '/profile');
    assert.equal((await before.state()).state, 'signed_out', 'the session before is over');
    await browser.state();
    await browser.must(200, 'POST', '/api/v1/profile/totp', { body: {} });
  });

  it('does not confirm an identity when the provider may not have prompted the person', async () => {
    provider.people.set('1021', { preferred_username: 'walk.up', groups: ['staff'] });
    const { browser } = await signIn('1021');
    const got = await browser.ask('POST', '/api/v1/profile/passkeys/options', { body: {} });
    assert.deepEqual([got.status, got.body.code], [403, 'confirmation_required']);
  });

  it('is the only way to sign in for accounts that it created: a passkey would outlast the account there', async () => {
    provider.people.set('1022', { preferred_username: 'leaver', groups: ['staff'] });
    const { browser } = await signInAndProve('1022');
    const got = await browser.ask('POST', '/api/v1/profile/passkeys/options', { body: {} });
    assert.deepEqual([got.status, got.body.code], [404, 'not_found'], got.text);
  });

  it('refuses an answer that belongs to another browser, was used before, or was never requested', async () => {
    provider.people.set('1012', { preferred_username: 'victim', groups: ['staff'] });
    const invalid = '/sign-in?problem=provider_answer_invalid';
    const [mine, other] = [panel.browser(), panel.browser()];
    const back = await new ProviderVisit(provider.issuer).signIn(await begin(mine), '1012');
    assert.equal((await comeBack(panel.browser(), back)).headers.get('location'), invalid, 'no cookie at all');
    await begin(other);
    assert.equal((await comeBack(other, back)).headers.get('location'), invalid, 'the cookie of another browser');
    const stolen = mine.copy();
    assert.equal((await comeBack(mine, back)).headers.get('location'), '/');
    assert.equal((await comeBack(stolen, back)).headers.get('location'), invalid, 'the code is used up');
    assert.equal(stolen.session, undefined);
    for (const search of [
      '',
      '?code=x',
      '?state=x',
      '?code=x&state=x',
      '?code=x&code=y&state=x',
      '?error=%0d%0aSet-Cookie:a',
    ]) {
      const browser = panel.browser();
      await begin(browser);
      const got = await browser.ask('GET', `/api/v1/auth/oidc/callback${search}`);
      assert.deepEqual([got.status, got.headers.get('location')], [302, invalid], search);
    }
  });

  it('takes no longer than ten minutes', async () => {
    provider.people.set('1013', { preferred_username: 'slow', groups: ['staff'] });
    const browser = panel.browser();
    const back = await new ProviderVisit(provider.issuer).signIn(await begin(browser), '1013');
    panel.clock.advance(601);
    assert.equal((await comeBack(browser, back)).headers.get('location'), '/sign-in?problem=provider_answer_invalid');
  });

  it('reports that the person declined, without any text of the provider in the address', async () => {
    const browser = panel.browser();
    const back = await new ProviderVisit(provider.issuer).refuse(await begin(browser));
    assert.ok(back.searchParams.has('error_description'));
    assert.equal((await comeBack(browser, back)).headers.get('location'), '/sign-in?problem=provider_refused');
  });

  it('ends on pages of the panel only', async () => {
    provider.people.set('1014', { preferred_username: 'returning', groups: ['staff'] });
    const refused = ['//evil.example', '/\\evil.example', 'https://evil.example', 'evil'];
    for (const return_to of refused) {
      const got = await panel.browser().ask('POST', '/api/v1/auth/oidc', { body: { return_to } });
      assert.equal(got.body.code, 'invalid', return_to);
    }
    for (const return_to of ['/\t/evil.example', '/.//evil.example', '/api/v1/audit']) {
      assert.equal((await signIn('1014', panel.browser(), { return_to })).location, '/', return_to);
    }
    const encoded = await signIn('1014', panel.browser(), { return_to: '/%2F%5Cevil.example' });
    assert.equal(encoded.location, '/%2F%5Cevil.example');
  });

  it('reports an unreachable provider, before and after the redirect, and works again once it is back', async () => {
    provider.people.set('1015', { preferred_username: 'patient', groups: ['staff'] });
    const browser = panel.browser();
    const back = await new ProviderVisit(provider.issuer).signIn(await begin(browser), '1015');
    provider.away();
    assert.equal((await comeBack(browser, back)).headers.get('location'), '/sign-in?problem=provider_unavailable');
    panel.clock.advance(3601); // what the provider said of itself is asked for anew
    const away = await panel.browser().ask('POST', '/api/v1/auth/oidc', { body: {} });
    assert.deepEqual([away.status, away.body.retryable], [503, true]);
    provider.back();
    panel.clock.advance(3);
    assert.equal((await signIn('1015')).location, '/');
  });

  it('reads groups from the token itself where the provider puts them there', async () => {
    provider.serve(panel.url, { claims_in_token: true });
    panel.clock.advance(3601); // the provider has new keys
    provider.people.set('1016', { preferred_username: 'inline', groups: 'ops' });
    assert.equal((await profileOf((await signIn('1016')).browser)).user.role, 'operator');
  });
});

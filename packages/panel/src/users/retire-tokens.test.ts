import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry, Problem, Scope, SignedIn, Token, TokenWithSecret, User } from '@meshwork/contract';
import { ALL, type TestBrowser, TestPanel } from '../../test/harness.ts';
import { TcpRelay } from '../../test/tcp-relay.ts';

const PLATFORM: Scope = { team: 'platform', surface: '*', environment: '*' };

describe('the tokens that a person made', () => {
  let relay: TcpRelay;
  let panel: TestPanel;
  let owner: TestBrowser;
  before(async () => {
    relay = await TcpRelay.open();
    panel = await TestPanel.start({ MESH_COORDINATOR_URL: relay.url });
    relay.target = panel.coordinator.url;
    owner = await panel.owner();
  });
  after(async () => {
    await panel.close();
    await relay.close();
  });

  const idOf = async (browser: TestBrowser) => ((await browser.state()) as SignedIn).user.id;
  const make = (by: TestBrowser, given: Record<string, unknown> = {}) =>
    by.must<TokenWithSecret>(201, 'POST', '/api/v1/coordinator/auth/tokens', {
      body: { name: 'ci', scope: ALL, role: 'operator', expires: panel.coordinator.inDays(30), ...given },
    });
  const stateOf = async ({ id }: Token) =>
    (await panel.coordinator.ask<Token>('GET', `/v1/auth/tokens/${id}`)).body.state;
  const change = (id: string, body: object) => owner.ask<User & Problem>('PATCH', `/api/v1/users/${id}`, { body });
  const remove = (id: string, query = '') => owner.ask('DELETE', `/api/v1/users/${id}${query}`);
  const show = (id: string) => owner.must<User>(200, 'GET', `/api/v1/users/${id}`);
  const preview = (id: string, query = '') =>
    owner.must<{ items: Token[] }>(200, 'GET', `/api/v1/users/${id}/tokens${query}`);
  const names = ({ items }: { readonly items: readonly Token[] }) => items.map(({ name }) => name).sort();
  const meshTrail = async (user: string) =>
    (
      await panel.coordinator.ask<{ items: AuditEntry[] }>(
        'GET',
        `/v1/audit?target=${user}&action=delegations.retire&limit=10`,
      )
    ).body.items;

  /** A person with a strong token, a weak one, and one made with the strong one. */
  let count = 0;
  const personWithTokens = async () => {
    const name = `ada-${++count}`;
    const browser = await panel.person(owner, { name });
    const strong = await make(browser, { name: 'strong' });
    const weak = await make(browser, { name: 'weak', role: 'viewer', scope: PLATFORM });
    const made = await panel.coordinator.token({ as: strong.secret, name: 'made', role: 'viewer', days: 5 });
    return { id: await idOf(browser), name, browser, strong, weak, made };
  };
  /** Requests that would end tokens do not get through, until the test lets them. */
  const block = () => {
    relay.intercept = (asked, socket) => {
      if (!asked.includes('/delegations/retire')) return false;
      socket.destroy();
      return true;
    };
  };
  const unblock = () => {
    relay.intercept = undefined;
  };

  it('end with the account, after the list was shown', async () => {
    const { id, name, strong, weak, made } = await personWithTokens();
    assert.deepEqual(names(await preview(id)), ['made', 'strong', 'weak']);
    assert.equal((await remove(id)).status, 204);
    for (const token of [strong, weak, made]) assert.equal(await stateOf(token), 'revoked', token.name);
    const [entry] = await meshTrail(id);
    assert.deepEqual([entry?.actor.kind, entry?.actor.name], ['person', 'grace'], 'the trail says who decided it');
    const [done] = await panel.trail(owner, '&action=panel.retire_tokens');
    assert.match(done?.detail ?? '', new RegExp(`^${name}: ended .*strong`));
  });

  it('end when the person is disabled, and enabling brings none back', async () => {
    const { id, strong, weak, made } = await personWithTokens();
    const disabled = await change(id, { disabled: true });
    assert.deepEqual([disabled.status, disabled.body.tokens_pending], [200, false]);
    await change(id, { disabled: false });
    for (const token of [strong, weak, made]) assert.equal(await stateOf(token), 'revoked', token.name);
  });

  it('end as far as they exceed a lower role or a narrower scope', async () => {
    const demoted = await personWithTokens();
    assert.deepEqual(names(await preview(demoted.id, '?role=viewer')), ['strong']);
    assert.equal((await change(demoted.id, { role: 'viewer' })).status, 200);
    assert.deepEqual(
      [await stateOf(demoted.strong), await stateOf(demoted.weak), await stateOf(demoted.made)],
      ['revoked', 'active', 'active'],
    );
    const moved = await personWithTokens();
    assert.deepEqual(names(await preview(moved.id, '?team=platform')), ['made', 'strong']);
    await change(moved.id, { scope: PLATFORM });
    assert.deepEqual(
      [await stateOf(moved.strong), await stateOf(moved.weak), await stateOf(moved.made)],
      ['revoked', 'active', 'revoked'],
    );
    const renamed = await personWithTokens();
    await change(renamed.id, { display_name: 'Ada' });
    assert.equal(await stateOf(renamed.strong), 'active', 'a name changes nothing');
  });

  it('are kept when the caller requests it and has all their permissions', async () => {
    const one = await personWithTokens();
    assert.equal((await change(one.id, { role: 'viewer', keep_tokens: true })).status, 200);
    assert.equal((await remove(one.id, '?keep_tokens=true')).status, 204);
    for (const token of [one.strong, one.weak, one.made]) assert.equal(await stateOf(token), 'active', token.name);

    await panel.coordinator.ask('POST', '/v1/auth/roles', {
      body: { name: 'hr', permissions: ['users:read', 'users:write', 'nodes:read', 'tokens:create'] },
    });
    const other = await personWithTokens();
    await change(other.id, { role: 'hr', keep_tokens: true });
    const hr = await panel.person(owner, { name: `hr-${count}`, role: 'hr' });
    const refused = await hr.ask('DELETE', `/api/v1/users/${other.id}?keep_tokens=true`);
    assert.deepEqual([refused.status, refused.body.code], [403, 'exceeds_own_rights']);
    assert.match(refused.body.detail, /cannot keep the token/);
    const renamed = { body: { display_name: 'Ada', keep_tokens: true } };
    assert.equal((await hr.ask('PATCH', `/api/v1/users/${other.id}`, renamed)).status, 200, 'a name keeps nothing');
    assert.equal((await hr.ask('DELETE', `/api/v1/users/${other.id}`)).status, 204);
    assert.equal(await stateOf(other.strong), 'revoked');
  });

  it('end as soon as the coordinator can be asked, and are pending until then', async () => {
    const { id, browser, strong } = await personWithTokens();
    block();
    try {
      const disabled = await change(id, { disabled: true });
      assert.deepEqual([disabled.status, disabled.body.tokens_pending], [200, true]);
      assert.equal((await browser.ask('GET', '/api/v1/profile')).status, 401, 'the sessions end at once');
      assert.equal(await stateOf(strong), 'active');
      const unknown = await owner.ask('GET', `/api/v1/users/${id}/tokens`);
      assert.deepEqual([unknown.status, unknown.body.code], [503, 'coordinator_unavailable']);
    } finally {
      unblock();
    }
    await panel.until(async () => !(await show(id)).tokens_pending);
    assert.equal(await stateOf(strong), 'revoked');
  });

  it('end also when the panel stopped before it could ask', async () => {
    const { id, strong } = await personWithTokens();
    block();
    try {
      assert.equal((await remove(id)).status, 204);
      await panel.down();
      assert.equal(await stateOf(strong), 'active');
    } finally {
      unblock();
    }
    await panel.up();
    await panel.until(async () => (await stateOf(strong)) === 'revoked');
    owner = await panel.signIn('grace');
    const entries = await panel.trail(owner, `&action=panel.retire_tokens&target=${id}`);
    assert.equal(entries.length, 1);
    assert.equal(entries[0]?.actor.name, 'grace');
  });

  it('are not taken for those that the person makes afterwards', async () => {
    const { id, name, strong } = await personWithTokens();
    block();
    let again: TestBrowser;
    try {
      await change(id, { disabled: true });
      await change(id, { disabled: false });
      again = await panel.signIn(name);
    } finally {
      unblock();
    }
    const fresh = await make(again, { name: 'fresh' });
    assert.equal(await stateOf(strong), 'revoked', 'what was pending came first');
    await panel.until(async () => !(await show(id)).tokens_pending);
    assert.equal(await stateOf(fresh), 'active');
  });
});

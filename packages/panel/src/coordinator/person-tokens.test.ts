import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry, SignedIn, Token, User, Whoami } from '@meshwork/contract';
import { type TestBrowser, TestPanel } from '../../test/harness.ts';
import { TcpRelay } from '../../test/tcp-relay.ts';

const MINUTE_S = 60;
const WHOAMI = '/api/v1/coordinator/auth/whoami';

describe('the tokens of people', () => {
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
  /** The tokens of a person, the oldest first, as the coordinator has them. */
  const tokensOf = async (id: string) => {
    const got = await panel.coordinator.ask<{ items: Token[] }>('GET', '/v1/auth/tokens?people=true&limit=200');
    return got.body.items.filter(({ on_behalf_of }) => on_behalf_of?.id === id);
  };
  const statesOf = async (id: string) => (await tokensOf(id)).map(({ state }) => state);

  /** The panel starts anew, and knows no secret any more; a browser goes on with what it has. */
  const restart = async (browser: TestBrowser) => {
    await panel.down();
    await panel.up();
    owner = await panel.signIn('grace');
    const same = panel.browser();
    for (const [name, value] of browser.cookies) same.cookies.set(name, value);
    same.csrf = browser.csrf;
    return same;
  };

  it('are requested once for concurrent requests', async () => {
    const ada = await restart(await panel.person(owner, { name: 'ada' }));
    const all = Array.from({ length: 20 }, () => ada.must<Whoami>(200, 'GET', WHOAMI));
    for (const { actor, role } of await Promise.all(all)) {
      assert.deepEqual([actor.kind, actor.name, role], ['person', 'ada', 'operator']);
    }
    assert.deepEqual(await statesOf(await idOf(ada)), ['active', 'active']);
  });

  it('are renewed before they expire, without interrupting a request', async () => {
    const bob = await panel.person(owner, { name: 'bob' });
    const id = await idOf(bob);
    for (let minute = 0; minute < 40; minute += 4) {
      await bob.must(200, 'GET', WHOAMI);
      panel.clock.advance(4 * MINUTE_S);
    }
    await bob.must(200, 'GET', WHOAMI);
    const tokens = await tokensOf(id);
    assert.ok(tokens.length >= 3 && tokens.length <= 5, `${tokens.length} tokens in 40 minutes`);
    assert.equal(tokens.at(-1)?.state, 'active');
    const refused = await panel.coordinator.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?outcome=refused');
    assert.deepEqual(refused.body.items, []);
    owner = await panel.signIn('grace');
  });

  it('end with the session, also after a restart of the panel', async () => {
    const cy = await panel.person(owner, { name: 'cy' });
    const id = await idOf(cy);
    await cy.must(204, 'POST', '/api/v1/auth/logout', { body: {} });
    await panel.until(async () => (await statesOf(id)).join() === 'revoked');

    const again = await restart(await panel.signIn('cy'));
    assert.deepEqual(await statesOf(id), ['revoked', 'active']);
    await again.must(204, 'POST', '/api/v1/auth/logout', { body: {} });
    await panel.until(async () => (await statesOf(id)).join() === 'revoked,revoked');
  });

  it('follow a change of role at once', async () => {
    const dan = await panel.person(owner, { name: 'dan' });
    const id = await idOf(dan);
    await dan.must(200, 'GET', WHOAMI);
    await owner.must<User>(200, 'PATCH', `/api/v1/users/${id}`, { body: { role: 'viewer' } });
    assert.equal((await dan.must<Whoami>(200, 'GET', WHOAMI)).role, 'viewer');
    // The old one is ended on the side, and once more when that fails.
    await panel.until(async () => {
      const roles = (await tokensOf(id)).map(({ role, state }) => `${role} ${state}`);
      return roles[0] === 'operator revoked' && roles.at(-1) === 'viewer active';
    });
  });

  it('that were on their way when the role changed are ended unused', async () => {
    const dot = await panel.person(owner, { name: 'dot' });
    const id = await idOf(dot);
    panel.clock.advance(16 * MINUTE_S); // the one before is over
    owner = await panel.signIn('grace');
    const held: (() => void)[] = [];
    relay.intercept = (asked, socket) => {
      if (!asked.includes('"name":"dot"') || held.length > 0) return false;
      held.push(() => socket.emit('data', Buffer.from(asked, 'latin1')));
      return true;
    };
    const asked = dot.ask<Whoami>('GET', WHOAMI);
    await panel.until(async () => held.length === 1);
    await owner.must<User>(200, 'PATCH', `/api/v1/users/${id}`, { body: { role: 'viewer' } });
    const after = dot.ask<Whoami>('GET', WHOAMI);
    held[0]?.();
    for (const { status, body } of await Promise.all([asked, after])) {
      assert.ok(status === 503 || body.role === 'viewer', JSON.stringify(body));
    }
    relay.intercept = undefined;
    assert.equal((await dot.must<Whoami>(200, 'GET', WHOAMI)).role, 'viewer');
    const isLeft = ({ role, state }: Token) => role === 'operator' && state === 'active';
    await panel.until(async () => !(await tokensOf(id)).some(isLeft));
  });

  it('that were revoked at the coordinator are replaced without an error', async () => {
    const eve = await panel.person(owner, { name: 'eve' });
    const id = await idOf(eve);
    for (const token of await tokensOf(id)) await panel.coordinator.ask('DELETE', `/v1/auth/tokens/${token.id}`);
    await eve.must(201, 'POST', '/api/v1/coordinator/auth/tokens', {
      body: {
        name: 'made after',
        role: 'viewer',
        scope: { team: '*', surface: '*', environment: '*' },
        expires: panel.coordinator.inDays(1),
      },
    });
    assert.deepEqual(await statesOf(id), ['revoked', 'active']);
  });

  it('name the person and where they sit in the audit trail of the coordinator', async () => {
    const fay = await panel.person(owner, { name: 'fay' });
    const id = await idOf(fay);
    await fay.must(200, 'POST', '/api/v1/coordinator/audit/verify', { body: {} });
    const got = await panel.coordinator.ask<{ items: AuditEntry[] }>('GET', `/v1/audit?actor=${id}`);
    const [entry] = got.body.items;
    assert.deepEqual(
      [entry?.action, entry?.actor, entry?.address],
      ['audit.verify', { kind: 'person', id, name: 'fay' }, '127.0.0.1'],
    );
  });

  it('are unavailable while the coordinator is, and available when it is back', async () => {
    const gus = await panel.person(owner, { name: 'gus' });
    await gus.must(204, 'POST', '/api/v1/auth/logout', { body: {} });
    const again = await panel.signIn('gus');
    await panel.coordinator.down();
    const refused = await again.ask('GET', WHOAMI);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.retryable],
      [503, 'coordinator_unavailable', true],
    );
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal(((await again.state()) as SignedIn).coordinator.reachable, false);
    const ready = await again.ask<{ checks: { name: string; ok: boolean }[] }>('GET', '/readyz');
    assert.equal(ready.body.checks.find(({ name }) => name === 'coordinator')?.ok, false);
    await panel.coordinator.up();
    relay.target = panel.coordinator.url;
    await again.must(200, 'GET', WHOAMI);
    assert.equal(((await again.state()) as SignedIn).coordinator.reachable, true);
  });

  it('are ended as soon as the coordinator is back, when it was away at the end of the session', async () => {
    const hal = await panel.person(owner, { name: 'hal' });
    const id = await idOf(hal);
    await hal.must(200, 'GET', WHOAMI);
    await panel.coordinator.down();
    await hal.must(204, 'POST', '/api/v1/auth/logout', { body: {} });
    await panel.coordinator.up();
    relay.target = panel.coordinator.url;
    await panel.until(async () => (await statesOf(id)).every((state) => state === 'revoked'));
  });
});

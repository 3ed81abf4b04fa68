import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry, Problem, Token, TokenWithSecret, Whoami } from '@meshwork/contract';
import { ALL, PLATFORM, TestCoordinator } from '../../../test/harness.ts';

interface List<T> {
  items: T[];
  next_cursor: string | null;
}

describe('tokens', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  const whoami = (token: string) => mesh.ask<Whoami>('GET', '/v1/auth/whoami', { token });
  const refusal = async (token: string) => {
    const got = await mesh.ask('GET', '/v1/auth/whoami', { token });
    return [got.status, got.body.code];
  };

  it('are created exactly as the specification asks', async () => {
    const day = mesh.inDays(77).slice(0, 10);
    const body = { name: 'ci deploy', scope: PLATFORM, expires: `${day}T01:00:00+01:00` };
    const got = await mesh.ask<TokenWithSecret>('POST', '/v1/auth/tokens', { body });
    assert.equal(got.status, 201);
    assert.equal(got.headers.get('location'), `/v1/auth/tokens/${got.body.id}`);
    assert.match(got.headers.get('etag') ?? '', /^"\d+"$/);
    const { id, secret, created_at, created_by, permissions, ...rest } = got.body;
    assert.match(id, /^token_[0-9a-z]{26}$/);
    assert.match(secret, /^mesh_[0-9a-z]{26}_[A-Za-z0-9_-]{43}_[0-9a-f]{8}$/);
    assert.equal(created_by.name, 'bootstrap');
    assert.ok(permissions.includes('nodes:read') && !permissions.includes('nodes:enroll'));
    assert.ok(Math.abs(Date.parse(created_at) - mesh.clock.now()) < 60_000);
    assert.deepEqual(rest, {
      name: 'ci deploy',
      scope: PLATFORM,
      role: 'pipeline',
      state: 'active',
      expires: `${day}T00:00:00Z`,
      last_used_at: null,
      retires_at: null,
      rotated_from: null,
      rotated_to: null,
      revoked_at: null,
      uses_left: null,
      on_behalf_of: null,
      tags: [],
    });
    assert.equal((await whoami(secret)).body.role, 'pipeline');
  });

  it('may be limited in how many nodes they enrol, where they can enrol any', async () => {
    const ask = (role: string) =>
      mesh.ask<TokenWithSecret & Problem>('POST', '/v1/auth/tokens', {
        body: { name: 'x', scope: PLATFORM, expires: mesh.inDays(1), role, uses: 5 },
      });
    const made = await ask('enroller');
    assert.deepEqual([made.status, made.body.uses_left], [201, 5]);
    const refused = await ask('viewer');
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.pointer], [422, '/uses']);
  });

  it('get a role by their surface, and viewer where no table says otherwise', async () => {
    assert.equal((await mesh.token({ scope: { surface: 'monitoring' } })).role, 'monitoring');
    assert.equal((await mesh.token({ scope: { surface: 'ci' } })).role, 'pipeline');
    assert.equal((await mesh.token({ scope: { surface: 'billing' } })).role, 'viewer');
    assert.equal(
      (await mesh.token({ scope: { surface: 'constructor' } })).role,
      'viewer',
      'an inherited name is no entry',
    );
  });

  it('show their secret once and never again, nowhere', async () => {
    const { id, secret } = await mesh.token();
    const shown = await mesh.ask('GET', `/v1/auth/tokens/${id}`);
    const listed = await mesh.ask('GET', '/v1/auth/tokens?limit=200');
    const trail = await mesh.ask('GET', '/v1/audit?limit=200');
    const hidden = secret.slice(32, 75);
    for (const { text, status } of [shown, listed, trail]) {
      assert.equal(status, 200);
      assert.ok(!text.includes(hidden) && !text.includes('secret'), 'no secret, nor its hash');
    }
  });

  it('expire, and say so', async () => {
    const { secret } = await mesh.token({ days: 1 });
    assert.equal((await whoami(secret)).status, 200);
    mesh.clock.advance(24 * 3600 + 1);
    assert.deepEqual(await refusal(secret), [401, 'token_expired']);
    assert.deepEqual(await refusal(mesh.owner), [401, 'token_expired'], 'the bootstrap token is good for a day');
    await mesh.down();
    await mesh.up({ recover: true });
    assert.equal((await whoami(mesh.owner)).body.role, 'owner', 'the operator of the machine gets back in');
  });

  it('must expire in the future and within a year', async () => {
    const ask = (expires: string) => mesh.ask('POST', '/v1/auth/tokens', { body: { name: 'x', scope: ALL, expires } });
    for (const expires of [
      mesh.inDays(-1),
      mesh.inDays(367),
      '2027-02-30T00:00:00Z',
      'tomorrow',
      '',
      '9999-12-31T23:59:59Z',
    ]) {
      const got = await ask(expires);
      assert.equal(got.status, 422, expires);
      assert.equal(got.body.errors?.[0]?.pointer, '/expires');
    }
    assert.equal((await ask(mesh.inDays(365.9))).status, 201);
  });

  it('are rotated: a successor takes over, the old secret is good until the deadline', async () => {
    const old = await mesh.token({ name: 'ci', scope: PLATFORM, role: 'pipeline', days: 10 });
    const got = await mesh.ask<TokenWithSecret>('POST', `/v1/auth/tokens/${old.id}/rotate`, {
      body: { deadline_s: 600 },
    });
    assert.equal(got.status, 201);
    const fresh = got.body;
    assert.notEqual(fresh.id, old.id);
    assert.equal(fresh.rotated_from, old.id);
    assert.deepEqual([fresh.name, fresh.scope, fresh.role], ['ci', PLATFORM, 'pipeline']);
    assert.ok(Math.abs(Date.parse(fresh.expires) - Date.parse(mesh.inDays(10))) < 60_000, 'as long again');
    const shown = (await mesh.ask<Token>('GET', `/v1/auth/tokens/${old.id}`)).body;
    assert.deepEqual([shown.state, shown.rotated_to], ['retiring', fresh.id]);
    assert.equal((await whoami(old.secret)).body.state, 'retiring');
    assert.equal((await whoami(fresh.secret)).body.state, 'active');
    const again = await mesh.ask('POST', `/v1/auth/tokens/${old.id}/rotate`, { body: {} });
    assert.deepEqual([again.status, again.body.code], [409, 'token_not_active']);
    mesh.clock.advance(601);
    assert.deepEqual(await refusal(old.secret), [401, 'token_retired']);
    assert.equal((await whoami(fresh.secret)).status, 200);
  });

  it('are rotated with no deadline to speak of when the secret leaked', async () => {
    const old = await mesh.token();
    await mesh.ask('POST', `/v1/auth/tokens/${old.id}/rotate`, { body: { deadline_s: 0 } });
    assert.deepEqual(await refusal(old.secret), [401, 'token_retired']);
    const longer = await mesh.ask('POST', `/v1/auth/tokens/${(await mesh.token()).id}/rotate`, {
      body: { deadline_s: 86_401 },
    });
    assert.equal(longer.status, 422);
  });

  it('rotate to one successor when two ask at once', async () => {
    const old = await mesh.token();
    const rotate = () => mesh.ask('POST', `/v1/auth/tokens/${old.id}/rotate`, { body: {} });
    const answers = await Promise.all([rotate(), rotate(), rotate()]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  });

  it('are revoked at once and for good, together with every older secret they replaced', async () => {
    const first = await mesh.token();
    const second = (await mesh.ask<TokenWithSecret>('POST', `/v1/auth/tokens/${first.id}/rotate`, { body: {} })).body;
    const third = (await mesh.ask<TokenWithSecret>('POST', `/v1/auth/tokens/${second.id}/rotate`, { body: {} })).body;
    assert.equal((await whoami(first.secret)).status, 200);
    const got = await mesh.ask<Token>('DELETE', `/v1/auth/tokens/${third.id}`);
    assert.deepEqual([got.status, got.body.state], [200, 'revoked']);
    for (const { secret } of [first, second, third]) assert.deepEqual(await refusal(secret), [401, 'token_revoked']);
    const again = await mesh.ask<Token>('DELETE', `/v1/auth/tokens/${third.id}`);
    assert.deepEqual([again.status, again.body.revoked_at], [200, got.body.revoked_at]);
  });

  it('are not found outside the own scope, and the attempt is in the trail', async () => {
    const other = await mesh.token({ scope: { ...PLATFORM, team: 'other' } });
    const caller = await mesh.token({ name: 'nosy', scope: PLATFORM, role: 'operator' });
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      const body = method === 'POST' ? { body: {} } : {};
      const got = await mesh.ask(method, `/v1/auth/tokens/${other.id}${path}`, { token: caller.secret, ...body });
      assert.deepEqual([got.status, got.body.code], [404, 'not_found'], method);
      assert.match(got.body.detail, /There is no token/);
    }
    const listed = await mesh.ask<List<Token>>('GET', '/v1/auth/tokens?limit=200', { token: caller.secret });
    assert.deepEqual(
      listed.body.items.map(({ scope }) => scope.team),
      listed.body.items.map(() => 'platform'),
    );
    await mesh.down(); // no request waits for these to be written, but they are before the coordinator ends
    await mesh.up();
    const trail = await mesh.ask<List<AuditEntry>>('GET', `/v1/audit?actor=${caller.id}&outcome=refused`);
    assert.deepEqual(
      trail.body.items.map(({ code, target }) => [code, target?.id]),
      [
        ['outside_scope', other.id],
        ['outside_scope', other.id],
        ['outside_scope', other.id],
      ],
    );
  });

  it('are never stronger or wider than their maker, whichever way is tried', async () => {
    const operator = await mesh.token({ role: 'operator', scope: PLATFORM });
    const tries = [
      { role: 'owner', scope: PLATFORM },
      { role: 'viewer', scope: { ...PLATFORM, team: '*' } },
      { role: 'viewer', scope: { ...PLATFORM, surface: 'other' } },
      { role: 'viewer', scope: ALL },
    ];
    for (const { role, scope } of tries) {
      const body = { name: 'more', scope, expires: mesh.inDays(1), role };
      const got = await mesh.ask('POST', '/v1/auth/tokens', { token: operator.secret, body });
      assert.deepEqual([got.status, got.body.code], [403, 'exceeds_own_rights'], JSON.stringify({ role, scope }));
    }
    assert.equal((await mesh.token({ as: operator.secret, role: 'operator', scope: PLATFORM })).role, 'operator');
    const owner = await mesh.token({ role: 'owner', scope: PLATFORM });
    const rotated = await mesh.ask('POST', `/v1/auth/tokens/${owner.id}/rotate`, { token: operator.secret, body: {} });
    assert.deepEqual(
      [rotated.status, rotated.body.code],
      [403, 'exceeds_own_rights'],
      'rotating shows a working secret',
    );
  });

  it('do not get more through the table of surfaces than their maker has', async () => {
    await mesh.ask('PATCH', '/v1/settings', { body: { tokens: { surface_roles: { vault: 'owner' } } } });
    const operator = await mesh.token({ role: 'operator' });
    const body = { name: 'more', scope: { ...ALL, surface: 'vault' }, expires: mesh.inDays(1) };
    const got = await mesh.ask('POST', '/v1/auth/tokens', { token: operator.secret, body });
    assert.deepEqual([got.status, got.body.code], [403, 'exceeds_own_rights']);
  });

  it('cannot be made by a token that is revoked while its request is under way', async () => {
    const maker = await mesh.token({ role: 'operator' });
    const body = { name: 'late', scope: ALL, expires: mesh.inDays(1), role: 'viewer' };
    const [, ...made] = await Promise.all([
      mesh.ask('DELETE', `/v1/auth/tokens/${maker.id}`),
      ...Array.from({ length: 40 }, () =>
        mesh.ask<TokenWithSecret>('POST', '/v1/auth/tokens', { token: maker.secret, body }),
      ),
    ]);
    const trail = await mesh.ask<List<AuditEntry>>('GET', '/v1/audit?limit=200');
    const revoked = trail.body.items.find(
      ({ action, target }) => action === 'tokens.revoke' && target?.id === maker.id,
    );
    const later = trail.body.items.filter(
      ({ actor, outcome, seq }) => actor.id === maker.id && outcome === 'done' && seq > (revoked?.seq ?? 0),
    );
    assert.deepEqual(later, []);
    assert.ok(made.every(({ status }) => status === 201 || status === 401));
  });

  it('work again when the clock that expired them comes back', async () => {
    const { secret } = await mesh.token({ days: 0.1 });
    assert.equal((await whoami(secret)).status, 200);
    mesh.clock.advance(3 * 3600);
    assert.deepEqual(await refusal(secret), [401, 'token_expired']);
    mesh.clock.advance(-3 * 3600);
    assert.equal((await whoami(secret)).status, 200);
  });

  it('have names that people can see', async () => {
    for (const name of [' ', ' x', 'x ', '\u202egnp', 'a\u200bb', 'a\u0000b', 'a\u2028b', '']) {
      const got = await mesh.ask('POST', '/v1/auth/tokens', { body: { name, scope: ALL, expires: mesh.inDays(1) } });
      assert.equal(got.status, 422, JSON.stringify(name));
    }
    assert.equal((await mesh.token({ name: 'Zoë’s 👩‍🚀 déploiement' })).name, 'Zoë’s 👩‍🚀 déploiement');
  });

  it('honour If-Match', async () => {
    const { id } = await mesh.token();
    const stale = await mesh.ask('DELETE', `/v1/auth/tokens/${id}`, { headers: { 'if-match': '"1"' } });
    assert.deepEqual([stale.status, stale.body.code], [412, 'revision_mismatch']);
    const etag = (await mesh.ask('GET', `/v1/auth/tokens/${id}`)).headers.get('etag') ?? '';
    assert.equal((await mesh.ask('DELETE', `/v1/auth/tokens/${id}`, { headers: { 'if-match': etag } })).status, 200);
    const odd = await mesh.ask('DELETE', `/v1/auth/tokens/${id}`, { headers: { 'if-match': 'W/"x"' } });
    assert.deepEqual([odd.status, odd.body.errors?.[0]?.pointer], [422, 'header/if-match']);
  });

  it('say when they were last used, also after a restart, without a write for each request', async () => {
    await mesh.down(); // what was refused above is counted, and written at some moment
    await mesh.up();
    const { id, secret } = await mesh.token();
    const show = async () => (await mesh.ask<Token>('GET', `/v1/auth/tokens/${id}`)).body.last_used_at;
    assert.equal(await show(), null);
    const revision = async () => (await mesh.ask<List<AuditEntry>>('GET', '/v1/audit?limit=1')).body.items[0]?.revision;
    const before = await revision();
    for (let use = 0; use < 20; use++) await whoami(secret);
    assert.equal(await revision(), before);
    const used = await show();
    assert.ok(used !== null && Math.abs(Date.parse(used) - mesh.clock.now()) < 60_000);
    await mesh.down();
    await mesh.up();
    assert.equal(await show(), used);
  });

  it('page through a list that changes meanwhile, without losing or repeating one that stayed', async () => {
    const stayed = new Set<string>();
    for (let count = 0; count < 12; count++) stayed.add((await mesh.token({ name: `paged ${count}` })).id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page: { body: List<Token> } = await mesh.ask<List<Token>>('GET', `/v1/auth/tokens?q=PAGED&limit=5${query}`);
      seen.push(...page.body.items.map(({ id }) => id));
      cursor = page.body.next_cursor;
      await mesh.token({ name: 'paged later' });
    } while (cursor !== null && seen.length < 100);
    assert.equal(new Set(seen).size, seen.length);
    assert.deepEqual(
      seen.filter((id) => stayed.has(id)),
      [...stayed].sort(), // by id, which is by time only to the millisecond
    );
    const wrong = await mesh.ask('GET', '/v1/auth/tokens?cursor=bm9wZQ');
    assert.deepEqual([wrong.status, wrong.body.errors?.[0]?.pointer], [422, 'query/cursor']);
  });

  it('of a look-alike, a wrong secret and a wrong checksum are all just unknown', async () => {
    const { secret } = await mesh.token();
    const flip = (text: string, at: number) => text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1);
    for (const wrong of [
      flip(secret, 40),
      flip(secret, 80),
      flip(secret, 10),
      secret.toUpperCase(),
      `${secret}x`,
      'x',
      'mesh_',
    ]) {
      assert.deepEqual(await refusal(wrong), [401, 'credentials_invalid'], wrong);
    }
    const basic = await mesh.ask('GET', '/v1/auth/whoami', {
      token: null,
      headers: { authorization: `Basic ${secret}` },
    });
    assert.equal(basic.body.code, 'credentials_invalid');
  });
});

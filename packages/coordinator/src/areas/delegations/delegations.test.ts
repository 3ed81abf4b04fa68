import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type {
  AuditEntry,
  EventRecord,
  NodeOperation,
  Policy,
  Problem,
  Role,
  Token,
  TokenWithSecret,
  Whoami,
} from '@meshwork/contract';
import { EventReader } from '../../../test/event-reader.ts';
import { ADA, ALL, PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

const PERSON = { kind: 'person', ...ADA };

describe('people who speak through the panel', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.startWithPanel();
  });
  after(() => mesh.close());

  const delegate = (given: Record<string, unknown>, token = mesh.panel, headers = {}) =>
    mesh.ask<TokenWithSecret & Problem>('POST', '/v1/auth/delegations', {
      token,
      headers,
      body: { person: ADA, role: 'operator', scope: ALL, ...given },
    });
  const end = (id: string, token = mesh.panel) => mesh.ask('DELETE', `/v1/auth/delegations/${id}`, { token });
  const trail = async (query: string) =>
    (await mesh.ask<{ items: AuditEntry[] }>('GET', `/v1/audit?${query}`)).body.items;
  const whoami = (token: string) => mesh.ask<Whoami & Problem>('GET', '/v1/auth/whoami', { token });
  const own = async () => (await whoami(mesh.panel)).body.actor.id ?? '';

  it('have a short-lived token with their role and scope, and are themselves', async () => {
    const got = await delegate({ scope: PLATFORM, lifetime_s: 600 });
    assert.equal(got.status, 201, got.text);
    const { name, role, scope, on_behalf_of, created_by, secret } = got.body;
    assert.deepEqual([name, role, scope, on_behalf_of], [ADA.name, 'operator', PLATFORM, ADA]);
    assert.deepEqual([created_by.kind, created_by.name], ['token', 'panel']);
    const me = await whoami(secret);
    assert.deepEqual([me.body.actor, me.body.role, me.body.scope], [PERSON, 'operator', PLATFORM]);
    mesh.clock.advance(601);
    assert.equal((await whoami(secret)).body.code, 'token_expired');
  });

  it('are named by whatever they do, beside the token they did it with and where they sit', async () => {
    const { id, secret } = await mesh.person({ role: 'owner', address: '192.0.2.40' });
    const made = await mesh.token({ as: secret });
    assert.deepEqual(made.created_by, PERSON);
    const node = await TestNode.enroll(mesh);
    const drained = await mesh.ask<NodeOperation>('POST', `/v1/nodes/${node.id}/drain`, { token: secret, body: {} });
    assert.deepEqual(drained.body.requested_by, PERSON);
    const replaced = await mesh.ask<Policy>('PUT', '/v1/acls', { token: secret, body: { groups: {} } });
    assert.deepEqual(replaced.body.created_by, PERSON);
    const [entry] = await trail(`target=${made.id}`);
    assert.deepEqual([entry?.actor, entry?.token, entry?.address], [PERSON, id, '192.0.2.40']);
    const actions = ['acls.replace', 'nodes.drain', 'tokens.create'];
    const byToken = await trail(`token=${id}`);
    assert.deepEqual(
      byToken.map(({ action }) => action),
      actions,
    );
    assert.deepEqual(await trail(`token=${id}&actor=${ADA.id}`), byToken);
    assert.deepEqual(
      (await trail(`actor=${ADA.id}&limit=3`)).map(({ action }) => action),
      actions,
    );
    assert.equal((await mesh.ask('GET', `/v1/audit?token=${id}&actor=${made.id}`)).status, 422);
    const byMaker = await trail(`token=${made.id}`);
    assert.deepEqual(byMaker, []);
  });

  it('sit nowhere as far as the trail knows, when the panel does not say where', async () => {
    const { secret } = await mesh.person({ role: 'owner' });
    const [entry] = await trail(`target=${(await mesh.token({ as: secret })).id}`);
    assert.equal(entry?.address, null);
  });

  it('are the target of the entry that records the delegation', async () => {
    const { id } = await mesh.person({ scope: PLATFORM });
    const [entry] = await trail(`target=${ADA.id}&action=delegations.create`);
    assert.deepEqual(
      [entry?.actor.name, entry?.token, entry?.target],
      ['panel', await own(), { kind: 'person', id: ADA.id }],
    );
    assert.deepEqual([entry?.scope, entry?.detail?.includes(id)], [PLATFORM, true]);
    assert.ok(!JSON.stringify(entry).includes('sha256'));
    assert.ok((await trail(`token=${await own()}`)).some((one) => one.id === entry?.id));
  });

  it('are refused as themselves', async () => {
    const { id, secret } = await mesh.person({ role: 'viewer' });
    await mesh.ask('GET', '/v1/auth/tokens', { token: secret });
    const [refused] = await trail(`token=${id}`);
    assert.deepEqual([refused?.actor, refused?.outcome, refused?.code], [PERSON, 'refused', 'permission_denied']);
  });

  it('have a role that exists and cannot delegate', async () => {
    for (const role of ['no-such-role', 'panel']) {
      const got = await delegate({ role });
      assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, '/role'], role);
    }
    for (const wrong of [
      { lifetime_s: 59 },
      { lifetime_s: 3601 },
      { person: { id: 'token_1', name: 'x' } },
      { address: 'x y' },
    ]) {
      assert.equal((await delegate(wrong)).status, 422, JSON.stringify(wrong));
    }
    const { secret } = await mesh.person({ role: 'owner' });
    assert.equal((await delegate({}, secret)).body.code, 'permission_denied');
    assert.equal((await delegate({}, mesh.owner)).body.code, 'permission_denied');
  });

  it('have tokens that are not rotated, not even by themselves', async () => {
    const { id, secret } = await mesh.person({ role: 'owner' });
    for (const token of [secret, mesh.owner]) {
      const got = await mesh.ask('POST', `/v1/auth/tokens/${id}/rotate`, { token, body: {} });
      assert.deepEqual([got.status, got.body.code], [409, 'token_delegated']);
    }
  });

  it('sign out for good, and nothing else is ended that way', async () => {
    const { id, secret } = await mesh.person();
    const automation = await mesh.token();
    for (let times = 0; times < 2; times++) assert.equal((await end(id)).status, 204);
    assert.equal((await whoami(secret)).body.code, 'token_revoked');
    assert.equal((await trail(`action=delegations.end&target=${ADA.id}`)).length, 1);
    for (const other of [automation.id, await own(), 'token_01jcqv5s3ee3xv9k7d0w8m2b4n']) {
      assert.equal((await end(other)).status, 404, other);
    }
    assert.equal((await whoami(automation.secret)).status, 200);
  });

  it('can be shut out like any token', async () => {
    const { id, secret } = await mesh.person();
    assert.equal((await mesh.ask('DELETE', `/v1/auth/tokens/${id}`)).status, 200);
    assert.equal((await whoami(secret)).body.code, 'token_revoked');
  });

  it('do not clutter the list of tokens', async () => {
    const { id, secret } = await mesh.person();
    assert.equal((await whoami(secret)).status, 200);
    const list = async (query: string) => {
      const got = await mesh.ask<{ items: Token[] }>('GET', `/v1/auth/tokens?limit=200${query}`);
      return got.body.items.map((token) => token.id);
    };
    assert.ok(!(await list('')).includes(id));
    assert.ok((await list('&people=true')).includes(id));
    assert.ok((await list('&people=true')).includes(await own()));
    assert.equal((await mesh.ask<Token>('GET', `/v1/auth/tokens/${id}`)).body.last_used_at, null);
  });

  it('are known as the makers of tokens, also of those made with such a token', async () => {
    const grace = { id: 'user_01jcqv4d2ye8r9k7d0w8m2b4nq', name: 'Grace Hopper' };
    const { secret } = await mesh.person({ role: 'owner', person: grace });
    const make = async (token: string, name: string) =>
      (
        await mesh.ask<TokenWithSecret>('POST', '/v1/auth/tokens', {
          token,
          body: { name, scope: PLATFORM, role: 'owner', expires: mesh.inDays(1) },
        })
      ).body;
    const made = await make(secret, 'made by her');
    const second = await make(made.secret, 'made by what she made');
    const own = await mesh.ask<TokenWithSecret>('POST', `/v1/auth/tokens/${second.id}/rotate`, {
      token: second.secret,
      body: {},
    });
    await make(mesh.owner, 'made by another');
    const ids = async (query: string) =>
      (await mesh.ask<{ items: Token[] }>('GET', `/v1/auth/tokens?${query}`)).body.items.map(({ id }) => id);
    // By id, which is by time only to the millisecond.
    assert.deepEqual(await ids(`made_by=${grace.id}`), [made.id, second.id, own.body.id].sort());
    assert.deepEqual(await ids(`made_by=${grace.id}&state=retiring`), [second.id]);
    assert.deepEqual(await ids(`made_by=${made.id}`), [second.id, own.body.id].sort());
    assert.deepEqual(await ids(`made_by=${second.id}`), [], 'its own rotation is still the same credential');
    assert.deepEqual(await ids('made_by=user_01jcqv4d2ye8r9k7d0w8m2b4nr'), []);
  });

  it('come and go without an event', async () => {
    using reader = await EventReader.open(mesh.url, { token: mesh.owner });
    await end((await mesh.person()).id);
    await mesh.ask('DELETE', `/v1/auth/tokens/${(await mesh.person()).id}`);
    const { id } = await mesh.token();
    const [frame] = await reader.events(1);
    assert.equal((JSON.parse(frame?.data ?? '') as EventRecord).subject.id, id);
  });

  it('get the same token when the panel asks twice under one key', async () => {
    const key = { 'idempotency-key': 'signing-in-ada' };
    const [first, second] = [await delegate({}, mesh.panel, key), await delegate({}, mesh.panel, key)];
    assert.deepEqual([second.status, second.body.secret], [201, first.body.secret]);
  });

  it('have done something once when they ask again with their next token', async () => {
    const headers = { 'idempotency-key': 'once-for-ada' };
    const expires = new Date(mesh.clock.now() + 3_600_000);
    const ask = async () =>
      mesh.ask<TokenWithSecret>('POST', '/v1/auth/tokens', {
        token: (await mesh.person({ role: 'owner' })).secret,
        headers,
        body: { name: 'once', scope: PLATFORM, role: 'viewer', expires },
      });
    const [first, second] = [await ask(), await ask()];
    assert.deepEqual([first.status, second.body.id], [201, first.body.id], second.text);
  });

  describe('and their streams of events', () => {
    const following = (token: string) => EventReader.open(mesh.url, { token });
    /** Reads until the stream ends; an event from after the end of the token must not be in it. */
    const readToEnd = async (reader: EventReader) => {
      const names: string[] = [];
      for (let frame = await reader.next(); frame !== undefined; frame = await reader.next()) {
        names.push(frame.data ?? '');
      }
      return names.join('\n');
    };

    it('end when the token does', async () => {
      const { secret } = await mesh.person({ lifetime_s: 60 });
      using reader = await following(secret);
      mesh.clock.advance(61);
      await mesh.token({ name: 'made too late' });
      assert.doesNotMatch(await readToEnd(reader), /made too late/);
    });

    it('end when they sign out', async () => {
      const { id, secret } = await mesh.person();
      using reader = await following(secret);
      await end(id);
      await mesh.token({ name: 'made too late' });
      assert.doesNotMatch(await readToEnd(reader), /made too late/);
    });

    it('end when their role loses the permission', async () => {
      const role = { name: 'listener', permissions: ['events:read'] };
      await mesh.ask<Role>('POST', '/v1/auth/roles', { body: role });
      const { secret } = await mesh.person({ role: 'listener' });
      using reader = await following(secret);
      await mesh.ask('PUT', '/v1/auth/roles/listener', { body: { permissions: ['nodes:read'] } });
      await mesh.token({ name: 'made too late' });
      assert.doesNotMatch(await readToEnd(reader), /made too late/);
    });
  });
});

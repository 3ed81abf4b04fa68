import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry, EventRecord, Problem, Role, Token, TokenWithSecret, Whoami } from '@meshwork/contract';
import { EventReader } from '../../../test/event-reader.ts';
import { ADA, ALL, PLATFORM, TestCoordinator } from '../../../test/harness.ts';

interface List<T> {
  items: T[];
}

describe('what a token makes', () => {
  let mesh: TestCoordinator;
  /** The same for all, so that what is made a second later does not end a second later. */
  let soon: string;
  before(async () => {
    mesh = await TestCoordinator.startWithPanel();
    soon = mesh.inDays(1);
  });
  after(() => mesh.close());

  const seconds = (timestamp: string) => timestamp.replace(/\.\d+Z$/, 'Z');
  const make = (as: string, given: Record<string, unknown> = {}) =>
    mesh.ask<TokenWithSecret & Problem>('POST', '/v1/auth/tokens', {
      token: as,
      body: { name: 'child', scope: ALL, role: 'operator', expires: soon, ...given },
    });
  const rotate = (id: string, body: object = {}, token = mesh.owner) =>
    mesh.ask<TokenWithSecret & Problem>('POST', `/v1/auth/tokens/${id}/rotate`, { token, body });
  const revoke = (id: string, query = '') => mesh.ask<Token>('DELETE', `/v1/auth/tokens/${id}${query}`);
  const show = async (id: string) => (await mesh.ask<Token>('GET', `/v1/auth/tokens/${id}`)).body;
  const idsOf = async (query: string) =>
    (await mesh.ask<List<Token>>('GET', `/v1/auth/tokens?limit=200&${query}`)).body.items.map(({ id }) => id).sort();
  const permissionsOf = async (token: string) =>
    (await mesh.ask<Whoami>('GET', '/v1/auth/whoami', { token })).body.permissions;
  const role = (name: string, permissions: string[], method = 'POST') =>
    mesh.ask<Role>(method, method === 'POST' ? '/v1/auth/roles' : `/v1/auth/roles/${name}`, {
      body: method === 'POST' ? { name, permissions } : { permissions },
    });

  it('ends no later than it does, and a refusal names the bound', async () => {
    const parent = await mesh.token({ name: 'parent', role: 'operator', days: 10 });
    const refused = await make(parent.secret, { expires: mesh.inDays(11) });
    assert.equal(refused.status, 422);
    assert.equal(refused.body.errors?.[0]?.pointer, '/expires');
    assert.match(refused.text, new RegExp(`at most ${parent.expires}.*parent.*${parent.id}`));
    assert.equal((await make(parent.secret, { expires: parent.expires })).status, 201);
  });

  it('may outlive it where its role says so', async () => {
    await role('long-lived', ['tokens:create', 'tokens:outlive', 'nodes:read']);
    const parent = await mesh.token({ role: 'long-lived', days: 1 });
    const made = await make(parent.secret, { role: 'long-lived', expires: mesh.inDays(100) });
    assert.equal(made.status, 201);
  });

  it('renews itself up to the end of the newest successor of what made it', async () => {
    const parent = await mesh.token({ role: 'operator', days: 10 });
    const child = (await make(parent.secret, { expires: parent.expires })).body;
    mesh.clock.advance(3600);
    const renewed = await rotate(child.id, {}, child.secret);
    assert.deepEqual([renewed.status, renewed.body.expires], [201, parent.expires], 'cut by default');
    const further = await rotate(renewed.body.id, { expires: mesh.inDays(12) }, renewed.body.secret);
    assert.deepEqual([further.status, further.body.errors?.[0]?.pointer], [422, '/expires']);
    const successor = (await rotate(parent.id, { expires: seconds(mesh.inDays(20)) })).body;
    const longer = await rotate(renewed.body.id, { expires: successor.expires }, renewed.body.secret);
    assert.deepEqual([longer.status, longer.body.expires], [201, successor.expires]);
  });

  it('cannot renew itself once what made it has ended; a caller that may create one like it can', async () => {
    const parent = await mesh.token({ name: 'gone', role: 'operator', days: 10 });
    const child = (await make(parent.secret, { expires: mesh.inDays(9) })).body;
    await revoke(parent.id);
    assert.equal((await permissionsOf(child.secret)).length > 0, true, 'it is kept');
    for (const body of [{}, { expires: mesh.inDays(1) }]) {
      const refused = await rotate(child.id, body, child.secret);
      assert.deepEqual([refused.status, refused.body.code], [409, 'token_maker_ended']);
      assert.match(refused.body.detail, /"gone".*was revoked at/);
    }
    assert.equal((await rotate(child.id)).status, 201, 'an owner becomes its maker');
  });

  it('is bounded by who rotates it from then on', async () => {
    const long = await mesh.token({ role: 'viewer', days: 300 });
    const rotator = await mesh.token({ role: 'operator', days: 5 });
    const taken = await rotate(long.id, {}, rotator.secret);
    assert.deepEqual([taken.status, taken.body.expires], [201, rotator.expires]);
    assert.deepEqual(await idsOf(`parent=${rotator.id}`), [taken.body.id]);
  });

  it('is not bounded by the minutes of a session, when a person makes it', async () => {
    const { secret } = await mesh.person({ role: 'operator' });
    const made = await make(secret, { expires: mesh.inDays(90) });
    assert.equal(made.status, 201);
    assert.equal((await rotate(made.body.id, { expires: mesh.inDays(120) }, made.body.secret)).status, 201);
  });

  it('ends earlier when it is rotated to a successor that does', async () => {
    const parent = await mesh.token({ role: 'operator', days: 50 });
    const child = (await make(parent.secret, { expires: parent.expires })).body;
    const grandchild = (await make(child.secret, { expires: mesh.inDays(40), role: 'viewer' })).body;
    const near = (await make(parent.secret, { expires: mesh.inDays(2) })).body;
    const successor = (await rotate(parent.id, { expires: mesh.inDays(20) })).body;
    assert.deepEqual(
      [(await show(child.id)).expires, (await show(grandchild.id)).expires, (await show(near.id)).expires],
      [successor.expires, successor.expires, near.expires],
    );
    const [entry] = (await mesh.ask<List<AuditEntry>>('GET', `/v1/audit?target=${parent.id}&limit=1`)).body.items;
    assert.match(entry?.detail ?? '', new RegExp(`${child.id}.*now expire at ${successor.expires}`));
  });

  it('loses what it loses, at once, and gets it back', async () => {
    await role('maker', ['tokens:create', 'tokens:rotate', 'nodes:read', 'ingress:write']);
    await role('deployer', ['nodes:read', 'ingress:write', 'tokens:create', 'tokens:rotate']);
    await role('leaf', ['nodes:read', 'ingress:write']);
    const parent = await mesh.token({ role: 'maker', days: 10 });
    const child = (await make(parent.secret, { role: 'deployer' })).body;
    const grandchild = (await make(child.secret, { role: 'leaf' })).body;
    await role('maker', ['tokens:create', 'tokens:rotate', 'nodes:read'], 'PUT');
    assert.ok(!(await permissionsOf(child.secret)).includes('ingress:write'));
    assert.deepEqual(await permissionsOf(grandchild.secret), ['self:read', 'nodes:read']);
    assert.deepEqual((await show(grandchild.id)).permissions, ['self:read', 'nodes:read'], 'as listings say');
    assert.equal((await make(child.secret, { role: 'leaf' })).body.code, 'exceeds_own_rights');
    assert.equal((await rotate(child.id, {}, child.secret)).status, 201, 'it can still rotate itself');
    await role('maker', ['tokens:create', 'tokens:rotate', 'nodes:read', 'ingress:write'], 'PUT');
    assert.ok((await permissionsOf(grandchild.secret)).includes('ingress:write'));
  });

  it('is bounded by its ancestors that still work, and by no other', async () => {
    await role('top', ['tokens:create', 'nodes:read', 'relays:read']);
    await role('bottom', ['nodes:read', 'relays:read']);
    const top = await mesh.token({ role: 'top', days: 10 });
    const middle = (await make(top.secret, { role: 'top' })).body;
    const bottom = (await make(middle.secret, { role: 'bottom' })).body;
    await revoke(middle.id);
    await role('top', ['tokens:create', 'nodes:read'], 'PUT');
    assert.ok(!(await permissionsOf(bottom.secret)).includes('relays:read'), 'the one above still works');
    await revoke(top.id);
    assert.ok((await permissionsOf(bottom.secret)).includes('relays:read'), 'it was kept on purpose');
  });

  it('is bounded by the role of the person who made it', async () => {
    await role('author', ['tokens:create', 'nodes:read', 'relays:read']);
    await role('work', ['nodes:read', 'relays:read']);
    const { secret } = await mesh.person({ role: 'author' });
    const made = (await make(secret, { role: 'work' })).body;
    const below = (await mesh.ask<Token>('GET', `/v1/auth/tokens/${made.id}`)).body;
    assert.ok(below.permissions.includes('relays:read'));
    await role('author', ['tokens:create', 'nodes:read'], 'PUT');
    assert.deepEqual(await permissionsOf(made.secret), ['self:read', 'nodes:read']);
  });

  it('is listed by what made it: directly, or with all that follows', async () => {
    const parent = await mesh.token({ role: 'operator', days: 10 });
    const child = (await make(parent.secret)).body;
    const successor = (await rotate(parent.id, {}, parent.secret)).body;
    const later = (await make(successor.secret)).body;
    const grandchild = (await make(child.secret, { role: 'viewer' })).body;
    for (const id of [parent.id, successor.id]) {
      assert.deepEqual(await idsOf(`parent=${id}`), [child.id, later.id].sort());
      assert.deepEqual(await idsOf(`made_by=${id}`), [child.id, later.id, grandchild.id].sort());
    }
    const { secret } = await mesh.person({ role: 'operator', person: { ...ADA, id: ADA.id.replace('np', 'nq') } });
    const own = (await make(secret)).body;
    const indirect = (await make(own.secret)).body;
    const person = own.created_by.id;
    assert.deepEqual(await idsOf(`parent=${person}`), [own.id]);
    assert.deepEqual(await idsOf(`made_by=${person}`), [own.id, indirect.id].sort());
  });

  it('keeps what it made when it is revoked, unless requested otherwise', async () => {
    const parent = await mesh.token({ role: 'operator', days: 10, scope: PLATFORM });
    const child = (await make(parent.secret, { scope: PLATFORM })).body;
    const successor = (await rotate(child.id, {}, child.secret)).body;
    const grandchild = (await make(successor.secret, { role: 'viewer', scope: PLATFORM })).body;
    const others = await mesh.token({ role: 'operator', days: 10, scope: PLATFORM });
    assert.equal((await revoke(parent.id)).body.state, 'revoked');
    assert.equal((await show(child.id)).state, 'retiring');
    using reader = await EventReader.open(mesh.url, { token: mesh.owner });
    const got = await revoke(parent.id, '?children=true');
    assert.deepEqual([got.status, got.body.state], [200, 'revoked'], 'also where the token itself was revoked before');
    const ended = [child.id, successor.id, grandchild.id];
    const events = (await reader.events(ended.length)).map(({ data = '' }) => JSON.parse(data) as EventRecord);
    assert.deepEqual(
      events.map(({ type, subject }) => `${type} ${subject?.id}`).sort(),
      ended.map((id) => `token.revoked ${id}`).sort(),
    );
    for (const id of ended) assert.equal((await show(id)).state, 'revoked');
    assert.equal((await show(others.id)).state, 'active');
    const [entry] = (await mesh.ask<List<AuditEntry>>('GET', `/v1/audit?target=${parent.id}&limit=1`)).body.items;
    for (const id of ended) assert.ok(entry?.detail?.includes(id), `the trail names ${id}`);
    assert.deepEqual(entry?.changes.map(({ id }) => id).sort(), [...ended].sort());
  });

  it('ends with the newest of its line, not with one that was rotated before', async () => {
    const parent = await mesh.token({ role: 'operator', days: 10 });
    const successor = (await rotate(parent.id, {}, parent.secret)).body;
    const [early, late] = [(await make(parent.secret)).body, (await make(successor.secret)).body];
    await revoke(parent.id, '?children=true');
    const states = async () => [(await show(early.id)).state, (await show(late.id)).state];
    assert.deepEqual([...(await states()), (await show(successor.id)).state], ['revoked', 'active', 'active']);
    await revoke(successor.id, '?children=true');
    assert.deepEqual(await states(), ['revoked', 'revoked']);
  });

  it('ends for a loop too: a child that rotated what made it', async () => {
    const parent = await mesh.token({ role: 'operator', days: 10 });
    const child = (await make(parent.secret, { expires: parent.expires })).body;
    const taken = await rotate(parent.id, {}, child.secret);
    assert.equal(taken.status, 201);
    assert.ok(Date.parse(taken.body.expires) <= Date.parse(child.expires), 'neither gets further than both were');
    assert.ok((await permissionsOf(taken.body.secret)).includes('nodes:write'));
    await revoke(taken.body.id, '?children=true');
    assert.equal((await show(child.id)).state, 'revoked');
  });

  it('has at most so many valid tokens above it', async () => {
    const secrets = [mesh.owner];
    const deeper = async () => {
      const made = await make(secrets.at(-1) ?? '');
      if (made.status === 201) secrets.push(made.body.secret);
      return [made.status, made.body.code];
    };
    while ((await deeper())[0] === 201 && secrets.length < 40);
    assert.deepEqual(await deeper(), [409, 'too_many']);
    const { actor } = (await mesh.ask<Whoami>('GET', '/v1/auth/whoami', { token: secrets[5] ?? '' })).body;
    await revoke(actor.id ?? '');
    assert.deepEqual((await deeper())[0], 201, 'one that has ended does not count');
  });
});

/** Several coordinators on one PostgreSQL: to clients they must be one mesh. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry, ChainReport, Readiness, Token, TokenWithSecret } from '@meshwork/contract';
import { type PostgresServer, startPostgresServer } from '@meshwork/store/testing';
import { EventReader } from './event-reader.ts';
import { ALL, TestCoordinator } from './harness.ts';

describe('two coordinators on one store', () => {
  let server: PostgresServer;
  let first: TestCoordinator;
  let second: TestCoordinator;

  before(async () => {
    server = await startPostgresServer();
    const store = await server.newDatabase();
    first = await TestCoordinator.start({ MESH_STORE: store });
    second = await first.joined();
    await first.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
  });
  after(async () => {
    await second?.close();
    await first?.close();
    await server?.close();
  });

  /** Asks again until it is so; fails when it never is. */
  async function becomes<T>(ask: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
    const deadline = performance.now() + 60_000;
    for (;;) {
      const value = await ask();
      if (isSo(value)) return value;
      assert.ok(performance.now() < deadline, `still ${JSON.stringify(value)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  it('share one first token and one owner', async () => {
    assert.equal((await second.ask('GET', '/v1/auth/whoami')).status, 200);
    const trail = await second.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=installation.create');
    assert.equal(trail.body.items.length, 1);
  });

  it('accept at both a token that was made at one, and refuse at both one that was revoked at one', async () => {
    const { id, secret } = await first.token();
    const status = async () => (await second.ask('GET', '/v1/auth/whoami', { token: secret })).status;
    await becomes(status, (code) => code === 200);
    await first.ask('DELETE', `/v1/auth/tokens/${id}`);
    await becomes(status, (code) => code === 401);
  });

  it('change one thing at both at once without losing a change', async () => {
    const { id } = await first.token();
    const rotate = (at: TestCoordinator) => at.ask('POST', `/v1/auth/tokens/${id}/rotate`, { body: {} });
    await becomes(
      () => second.ask('GET', `/v1/auth/tokens/${id}`),
      ({ status }) => status === 200,
    );
    const answers = await Promise.all([rotate(first), rotate(second), rotate(first), rotate(second)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
    const names = Array.from({ length: 20 }, (_, index) => `role-${index}`);
    const create = (at: TestCoordinator, name: string) =>
      at.ask('POST', '/v1/auth/roles', { body: { name, permissions: [] } });
    const made = await Promise.all(names.flatMap((name) => [create(first, name), create(second, name)]));
    assert.equal(made.filter(({ status }) => status === 201).length, 20);
    assert.equal(made.filter(({ status }) => status === 409).length, 20);
  });

  it('hold rules that span documents, whichever is faster', async () => {
    for (let round = 0; round < 5; round++) {
      const name = `span-${round}`;
      await first.ask('POST', '/v1/auth/roles', { body: { name, permissions: [] } });
      await becomes(
        () => second.ask('GET', `/v1/auth/roles/${name}`),
        ({ status }) => status === 200,
      );
      const body = { name: 'x', scope: ALL, expires: first.inDays(0.5), role: name };
      const [made, gone] = await Promise.all([
        first.ask('POST', '/v1/auth/tokens', { body }),
        second.ask('DELETE', `/v1/auth/roles/${name}`),
      ]);
      assert.ok((made.status === 201) !== (gone.status === 204), `${made.status} ${gone.status}`);
    }
  });

  it('answer a repeated request alike, whichever of them it reaches', async () => {
    const body = { name: 'once', scope: ALL, expires: first.inDays(30) };
    const headers = { 'idempotency-key': 'both' };
    const ask = (at: TestCoordinator) => at.ask<TokenWithSecret>('POST', '/v1/auth/tokens', { body, headers });
    const [one, other] = await Promise.all([ask(first), ask(second)]);
    assert.equal(one.status, 201);
    assert.equal(one.text, other.text);
  });

  it('keep one unbroken trail between them', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? first : second).token()));
    for (const at of [first, second]) {
      const { body } = await at.ask<ChainReport>('POST', '/v1/audit/verify', { body: {} });
      assert.deepEqual([body.intact, body.faults], [true, []]);
    }
  });

  it('tell at one what happens at both, in one order', async () => {
    using here = await EventReader.open(first.url, { token: first.owner, query: '?type=token.created' });
    using there = await EventReader.open(second.url, { token: first.owner, query: '?type=token.created' });
    const writes = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? first : second).token());
    const [heardHere, heardThere] = await Promise.all([here.events(40), there.events(40)]);
    assert.equal((await Promise.all(writes)).length, 40);
    assert.deepEqual(heardHere, heardThere);
    const seqs = heardHere.map(({ id }) => Number(id));
    assert.deepEqual(
      seqs,
      seqs.toSorted((a, b) => a - b),
    );
  });

  it('say when a token was last used at the other', async () => {
    const { id, secret } = await first.token();
    await becomes(
      () => second.ask('GET', '/v1/auth/whoami', { token: secret }),
      ({ status }) => status === 200,
    );
    const lastUsed = async () => (await first.ask<Token>('GET', `/v1/auth/tokens/${id}`)).body.last_used_at;
    await becomes(lastUsed, (at) => at !== null);
  });

  it('refuse to join with another master key or with none', async () => {
    const env = { MESH_STORE: first.env.MESH_STORE ?? '', MESH_MASTER_KEY_FILE: join(first.folder, 'other-key') };
    await assert.rejects(TestCoordinator.start(env), /The master key file .*other-key is missing/);
    await writeFile(env.MESH_MASTER_KEY_FILE, randomBytes(32).toString('base64url'), { mode: 0o600 });
    await assert.rejects(TestCoordinator.start(env), /master key of another installation/);
  });

  it('refuse every caller and say why while the store is away, and go on when it is back', async () => {
    await server.stop();
    const ready = () => first.ask<Readiness>('GET', '/readyz', { token: null });
    const away = await becomes(ready, ({ status }) => status === 503);
    assert.ok(away.body.checks.some(({ name, ok }) => name === 'store' && !ok));
    const write = await first.ask('POST', '/v1/auth/tokens', {
      body: { name: 'x', scope: ALL, expires: first.inDays(0.5) },
    });
    assert.deepEqual([write.status, write.body.code, write.body.retryable], [503, 'store_unavailable', true]);
    first.clock.advance(10);
    const read = await first.ask('GET', '/v1/auth/whoami');
    assert.deepEqual(
      [read.status, read.body.code],
      [503, 'store_unavailable'],
      'a token may have been revoked meanwhile',
    );
    await server.start();
    await becomes(ready, ({ status }) => status === 200);
    await becomes(
      () => first.ask('GET', '/v1/auth/whoami'),
      ({ status }) => status === 200,
    );
    assert.equal((await first.token()).state, 'active');
  });
});

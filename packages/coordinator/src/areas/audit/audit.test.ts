import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry, ChainReport } from '@meshwork/contract';
import { CHAIN_START, chainHash } from '@meshwork/contract/chain';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';

interface List {
  items: AuditEntry[];
  next_cursor: string | null;
}

describe('the audit trail', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());
  const list = async (query: string, token?: string) =>
    (await mesh.ask<List>('GET', `/v1/audit?${query}`, token === undefined ? {} : { token })).body;
  const countOf = (entries: readonly AuditEntry[]) => entries.reduce((sum, { count }) => sum + count, 0);
  const verify = async (body: unknown = {}) => (await mesh.ask<ChainReport>('POST', '/v1/audit/verify', { body })).body;

  it('begins with the first start of the coordinator', async () => {
    const { items } = await list('action=installation.create');
    assert.equal(items.length, 1);
    assert.deepEqual([items[0]?.seq, items[0]?.actor.kind, items[0]?.outcome], [1, 'system', 'done']);
    assert.deepEqual(
      items[0]?.changes.map(({ kind }) => kind),
      ['installation', 'token'],
    );
    assert.ok(!JSON.stringify(items).includes('sha256') && !JSON.stringify(items).includes('master_key_check'));
  });

  it('says of a change who, what, from where, before and after, under the id that the caller was given', async () => {
    const { id } = await mesh.token({ name: 'watched', scope: PLATFORM });
    const revoked = await mesh.ask('DELETE', `/v1/auth/tokens/${id}`);
    const { items } = await list(`target=${id}`);
    assert.deepEqual(
      items.map(({ action }) => action),
      ['tokens.revoke', 'tokens.create'],
    );
    const [entry] = items;
    assert.equal(entry?.request_id, revoked.headers.get('x-request-id'));
    assert.deepEqual([entry?.actor.name, entry?.address, entry?.scope], ['bootstrap', '127.0.0.1', PLATFORM]);
    const change = entry?.changes[0] as { before: { revoked_at: unknown }; after: { revoked_at: unknown } };
    assert.equal(change.before.revoked_at, null);
    assert.equal(typeof change.after.revoked_at, 'string');
    const one = await mesh.ask<AuditEntry>('GET', `/v1/audit/${entry?.id}`);
    assert.deepEqual(one.body, entry);
    assert.equal((await mesh.ask('GET', '/v1/audit/audit_01jcqv5s3ee3xv9k7d0w8m2b4p')).status, 404);
    assert.equal((await mesh.ask('GET', '/v1/audit/nonsense')).status, 404);
  });

  it('has every refusal with the token that was refused, repeats counted', async () => {
    const viewer = await mesh.token({ name: 'eager', role: 'viewer' });
    for (let count = 0; count < 5; count++) await mesh.ask('GET', '/v1/auth/tokens', { token: viewer.secret });
    await mesh.ask('DELETE', `/v1/auth/tokens/${viewer.id}`);
    await mesh.ask('GET', '/v1/auth/whoami', { token: viewer.secret });
    await mesh.ask('GET', '/v1/auth/whoami', { token: null });
    await mesh.down();
    await mesh.up();
    const refused = (await list('outcome=refused&limit=200')).items;
    const mine = refused.filter(({ actor }) => actor.id === viewer.id);
    // In how many entries depends on when their time is over; `http/refusals.test.ts` looks at that.
    const kinds = Map.groupBy(mine, ({ action, code }) => `${action} ${code}`);
    assert.deepEqual([...kinds].map(([kind, entries]) => [kind, countOf(entries)]).sort(), [
      ['self.whoami token_revoked', 1],
      ['tokens.list permission_denied', 5],
    ]);
    assert.ok(refused.some(({ actor, code }) => actor.kind === 'anonymous' && code === 'credentials_missing'));
  });

  it('takes a refusal whatever the refused caller named, without harm to those who write meanwhile', async () => {
    const odd = ['%00', '%F0%9F%92%A9', '..%2f', 'a'.repeat(100)];
    const asked = await Promise.all(
      odd.flatMap((id) => [
        mesh.ask('DELETE', `/v1/auth/tokens/${id}`, { token: null }),
        mesh.ask('GET', '/v1/auth/whoami'),
      ]),
    );
    assert.deepEqual(new Set(asked.map(({ status }) => status)), new Set([401, 200]));
    await mesh.down(); // which writes down what was counted
    await mesh.up();
    const { items } = await list('outcome=refused&action=tokens.revoke&limit=200');
    assert.equal(countOf(items), odd.length);
    assert.ok(items.every(({ target }) => target?.id === '?'));
  });

  it('is filtered by time, by who and by what', async () => {
    const from = new Date(mesh.clock.now() - 1).toISOString();
    const { id } = await mesh.token();
    const now = await list(`from=${from}`);
    assert.deepEqual(
      now.items.map(({ target }) => target?.id),
      [id],
    );
    assert.ok((await list(`to=${from}&limit=200`)).items.every(({ target }) => target?.id !== id));
    const creator = now.items[0]?.actor.id;
    const byToken = await list(`token=${creator}&action=tokens.create&limit=200`);
    assert.ok(
      byToken.items.length > 0 &&
        byToken.items.every(({ action, actor }) => action === 'tokens.create' && actor.id === creator),
    );
    assert.equal((await mesh.ask('GET', '/v1/audit?from=yesterday')).status, 422);
    assert.equal((await mesh.ask('GET', `/v1/audit?actor=a&token=b`)).status, 422);
  });

  it('pages newest first without losing or repeating while more is written', async () => {
    const all: number[] = [];
    let cursor: string | null = null;
    const newest = (await list('limit=1')).items[0]?.seq ?? 0;
    do {
      const page: List = await list(`limit=3${cursor === null ? '' : `&cursor=${cursor}`}`);
      all.push(...page.items.map(({ seq }) => seq));
      cursor = page.next_cursor;
      await mesh.token();
    } while (cursor !== null);
    assert.deepEqual(
      all,
      Array.from({ length: newest }, (_, index) => newest - index),
    );
  });

  it('shows a narrow auditor its own boundary only', async () => {
    const auditor = await mesh.token({ role: 'auditor', scope: PLATFORM });
    const inside = await mesh.token({ scope: PLATFORM });
    const outside = await mesh.token({ scope: { ...PLATFORM, team: 'other' } });
    const seen = await list('limit=200', auditor.secret);
    assert.ok(seen.items.some(({ target }) => target?.id === inside.id));
    assert.ok(seen.items.every(({ scope }) => scope.team === 'platform'));
    const hidden = (await list(`target=${outside.id}`)).items[0]?.id;
    const got = await mesh.ask('GET', `/v1/audit/${hidden}`, { token: auditor.secret });
    assert.deepEqual([got.status, got.body.code], [404, 'not_found']);
    assert.equal(
      (await mesh.ask('POST', '/v1/audit/verify', { token: auditor.secret, body: {} })).body.code,
      'mesh_scope_required',
    );
  });

  it('is exported whole, a line an entry, in a form that anyone can check', async () => {
    const got = await mesh.ask('GET', '/v1/audit', { headers: { accept: 'application/x-ndjson' } });
    assert.match(got.headers.get('content-type') ?? '', /^application\/x-ndjson/);
    const lines = got.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry);
    let previous = CHAIN_START;
    for (const [index, { seq, revision, hash, ...body }] of lines.entries()) {
      assert.equal(seq, index + 1);
      assert.equal(hash, chainHash({ previous, seq, revision, body: JSON.stringify(body) }));
      previous = hash ?? '';
    }
  });

  it('is found intact, and an anchor from before still holds', async () => {
    const earlier = await verify();
    assert.deepEqual([earlier.intact, earlier.faults, earlier.checked], [true, [], earlier.head.seq]);
    await mesh.token();
    const later = await verify({ anchor: earlier.head });
    assert.ok(later.intact && later.head.seq > earlier.head.seq);
    const wrong = await verify({ anchor: { seq: earlier.head.seq, hash: 'f'.repeat(64) } });
    assert.deepEqual(
      [wrong.intact, wrong.faults[0]?.reason, wrong.faults[0]?.seq],
      [false, 'anchor_mismatch', earlier.head.seq],
    );
  });

  it('names each entry that was tampered with, and only those', async () => {
    for (let count = 0; count < 8; count++) await mesh.token();
    const { head } = await verify();
    await mesh.down();
    const tamper = (sql: string, ...values: (string | number)[]) => {
      const store = new DatabaseSync(join(mesh.folder, 'mesh.db'));
      store.prepare(sql).run(...values);
      store.close();
    };
    const found = async () => {
      await mesh.up();
      const report = await verify();
      await mesh.down();
      return report.faults.map(({ seq, reason }) => [seq, reason]);
    };
    const at = head.seq - 5;
    tamper(
      `UPDATE entries SET body = replace(body, 'tokens.create', 'tokens.forged') WHERE log = 'audit' AND seq = ?`,
      at,
    );
    assert.deepEqual(await found(), [[at, 'altered']]);
    tamper(`UPDATE entries SET actor = 'token_of_another' WHERE log = 'audit' AND seq = ?`, at + 1);
    assert.deepEqual(await found(), [
      [at, 'altered'],
      [at + 1, 'misplaced'],
    ]);
    tamper(`DELETE FROM entries WHERE log = 'audit' AND seq = ?`, at + 3);
    assert.deepEqual(await found(), [
      [at, 'altered'],
      [at + 1, 'misplaced'],
      [at + 3, 'missing'],
    ]);
    const ends = head.seq + 3; // each verification above is itself in the trail
    tamper(`DELETE FROM entries WHERE log = 'audit' AND seq >= ?`, ends);
    assert.deepEqual((await found()).at(-1), [ends, 'cut_off']);
    await mesh.up();
  });
});

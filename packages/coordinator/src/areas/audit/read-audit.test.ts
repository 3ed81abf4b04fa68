import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { AuditEntry } from '@meshwork/contract';
import { Compile } from 'typebox/compile';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';

interface List {
  items: AuditEntry[];
  next_cursor: string | null;
}
const NDJSON = { accept: 'application/x-ndjson' };

describe('reading the audit trail', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());
  const list = async (query: string, token = mesh.owner) =>
    (await mesh.ask<List>('GET', `/v1/audit?${query}`, { token })).body;

  it('gives a narrow auditor no cursor to what it may not see', async () => {
    const auditor = await mesh.token({ role: 'auditor', scope: PLATFORM });
    await mesh.token({ scope: PLATFORM });
    for (let count = 0; count < 3; count++) await mesh.token({ scope: { ...PLATFORM, team: 'other' } });
    const first = await list('limit=1', auditor.secret);
    assert.equal(first.items.length, 1);
    const second = await list(`limit=1&cursor=${first.next_cursor}`, auditor.secret);
    assert.deepEqual([second.items.length, second.next_cursor], [1, null]);
    assert.notEqual(second.items[0]?.id, first.items[0]?.id);
  });

  it('refuses pages of an export, which has none', async () => {
    for (const query of ['limit=5', `cursor=${(await list('limit=1')).next_cursor}`]) {
      const got = await mesh.ask('GET', `/v1/audit?${query}`, { headers: NDJSON });
      assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, `query/${query.split('=')[0]}`]);
    }
  });

  it('shows an entry whose text is not one as such, to those who see the whole mesh', async () => {
    const auditor = await mesh.token({ role: 'auditor', scope: PLATFORM });
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) ids.push((await mesh.token({ scope: PLATFORM })).id);
    await mesh.down();
    const store = new DatabaseSync(join(mesh.folder, 'mesh.db'));
    for (const [index, body] of ['x', 'null', '{"scope":{}}', '[]'].entries()) {
      store.prepare('UPDATE entries SET body = ? WHERE target = ?').run(body, ids[index] ?? '');
    }
    store.prepare('UPDATE entries SET action = NULL, actor = NULL, at_ms = 9e15 WHERE target = ?').run(ids[0] ?? '');
    store.close();
    await mesh.up();
    const fitsContract = Compile(AuditEntry);
    const shown = (await list('limit=200')).items.filter(({ target }) => ids.includes(target?.id ?? ''));
    assert.deepEqual(
      shown.map(({ action }) => action),
      ['tokens.create', 'tokens.create', 'tokens.create', 'unreadable'],
    );
    for (const record of shown) {
      assert.ok(fitsContract.Check(record), JSON.stringify(record));
      assert.match(record.detail ?? '', /cannot be read/);
      assert.deepEqual((await mesh.ask('GET', `/v1/audit/${record.id}`)).body, record);
      assert.equal((await mesh.ask('GET', `/v1/audit/${record.id}`, { token: auditor.secret })).status, 404);
    }
    const narrow = (await list('limit=200', auditor.secret)).items;
    assert.ok(narrow.length > 0 && narrow.every(({ target }) => !ids.includes(target?.id ?? '')));
    const { text } = await mesh.ask('GET', '/v1/audit', { headers: NDJSON });
    const exported = text.trimEnd().split('\n');
    for (const record of shown) assert.ok(exported.includes(JSON.stringify(record)));
  });
});

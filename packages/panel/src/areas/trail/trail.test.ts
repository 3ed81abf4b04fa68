import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { type ChainReport, newId, type PanelAuditEntry, type SignedIn } from '@meshwork/contract';
import { ALL, type TestBrowser, TestPanel } from '../../../test/harness.ts';

interface Page {
  readonly items: readonly PanelAuditEntry[];
  readonly next_cursor: string | null;
}

describe('the trail of the panel', () => {
  let panel: TestPanel;
  let owner: TestBrowser;
  before(async () => {
    panel = await TestPanel.start();
    owner = await panel.owner();
    for (const name of ['ada', 'bob', 'cy']) await panel.person(owner, { name });
  });
  after(() => panel.close());

  const list = (query = '') => owner.must<Page>(200, 'GET', `/api/v1/audit${query}`);
  const verify = () => owner.must<ChainReport>(200, 'POST', '/api/v1/audit/verify', { body: {} });
  const tamper = async (sql: string) => {
    await panel.down();
    const store = new DatabaseSync(join(panel.folder, 'panel.db'));
    const { changes } = store.prepare(sql).run();
    store.close();
    await panel.up();
    owner = await panel.signIn('grace');
    return changes;
  };

  it('is read page by page, the newest first, without gaps', async () => {
    const whole = await list('?limit=200');
    assert.equal(whole.next_cursor, null);
    const seqs = whole.items.map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      Array.from(seqs, (_, index) => seqs.length - index),
    );
    const pages: PanelAuditEntry[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Page = await list(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      pages.push(...page.items);
      cursor = page.next_cursor;
    }
    assert.deepEqual(pages, whole.items);
    assert.equal((await owner.ask('GET', '/api/v1/audit?cursor=nonsense')).body.code, 'invalid');
  });

  it('is filtered by actor, action and target', async () => {
    const [ada] = (await list('?action=invitation.accept&limit=200')).items.slice(-1);
    assert.equal(ada?.actor.name, 'ada');
    const own = (await list(`?actor=${ada?.actor.id}`)).items;
    assert.ok(own.length > 0 && own.every(({ actor }) => actor.id === ada?.actor.id));
    const invited = (await list(`?action=users.create&target=${ada?.actor.id}`)).items;
    assert.deepEqual([invited.length, invited[0]?.actor.name], [1, 'grace']);
    assert.deepEqual((await list(`?actor=${newId('user', 0)}`)).items, []);
  });

  it('is for people with the permission, and whose scope is the whole mesh', async () => {
    const viewer = await panel.person(owner, { name: 'vi', role: 'viewer' });
    assert.equal((await viewer.ask('GET', '/api/v1/audit')).body.code, 'permission_denied');
    const narrow = await panel.person(owner, { name: 'nan', role: 'auditor', scope: { ...ALL, team: 'platform' } });
    assert.equal((await narrow.ask('GET', '/api/v1/audit')).body.code, 'mesh_scope_required');
    const verifying = await narrow.ask('POST', '/api/v1/audit/verify', { body: {} });
    assert.equal(verifying.body.code, 'mesh_scope_required');
    const auditor = await panel.person(owner, { name: 'aud', role: 'auditor' });
    await auditor.must(200, 'GET', '/api/v1/audit');
  });

  it('records that it was checked, and by whom', async () => {
    const report = await verify();
    assert.deepEqual([report.intact, report.faults, report.base.seq], [true, [], 0]);
    assert.equal(report.checked, report.head.seq);
    const [entry] = (await list('?action=trail.verify')).items;
    const { user } = (await owner.state()) as SignedIn;
    assert.deepEqual([entry?.actor.id, entry?.detail], [user.id, `${report.checked} entries are intact`]);
    assert.equal(entry?.seq, report.head.seq + 1);
  });

  it('shows that an entry was altered, misplaced or taken out', async () => {
    const found = async () => (await verify()).faults.map(({ seq, reason }) => [seq, reason]);
    assert.equal(
      await tamper(`UPDATE entries SET body = replace(body, 'grace', 'mallo') WHERE log = 'trail' AND seq = 2`),
      1,
    );
    assert.deepEqual(await found(), [[2, 'altered']]);
    assert.equal(await tamper(`UPDATE entries SET actor = 'user_other' WHERE log = 'trail' AND seq = 4`), 1);
    assert.deepEqual(await found(), [
      [2, 'altered'],
      [4, 'misplaced'],
    ]);
    assert.equal(await tamper(`DELETE FROM entries WHERE log = 'trail' AND seq = 3`), 1);
    assert.deepEqual((await found())[1], [3, 'missing']);
  });

  it('is still read when the text of an entry is lost', async () => {
    await tamper(`UPDATE entries SET body = '{' WHERE log = 'trail' AND seq = 5`);
    const entry = (await list('?limit=200')).items.find(({ seq }) => seq === 5);
    assert.match(entry?.detail ?? '', /cannot be read/);
  });
});

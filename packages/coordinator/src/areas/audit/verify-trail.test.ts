import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DEFAULT_SETTINGS } from '@meshwork/contract';
import { CHAIN_START } from '@meshwork/contract/chain';
import { type Journal, openStore } from '@meshwork/store';
import { TestClock } from '../../../test/harness.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import { AUDIT_LOG } from '../../mesh/audit-entry.ts';
import { Mesh } from '../../mesh/mesh.ts';
import { SETTINGS_ID } from '../../mesh/settings-of.ts';
import { trimAudit } from './trim-audit.ts';
import { verifyTrail } from './verify-trail.ts';

const HEAD = 9;
const DAY_S = 24 * 3600;
const FORGED = `INSERT INTO entries SELECT log, ?, 'audit_forged', at_ms, revision, actor, action, target, body, hash
  FROM entries WHERE log = 'audit' AND seq = 5`;

describe('the check of the chain', () => {
  let folder: string;
  let clock: TestClock;
  let mesh: Mesh;
  const open = async () => {
    const journal = await openStore(`sqlite:${join(folder, 'mesh.db')}`);
    const watch = { committed: () => undefined, failed: () => undefined };
    mesh = await Mesh.open({ journal, clock, master: createSecretKey(randomBytes(32)), watch });
  };
  const write = () =>
    mesh.transact({ actor: COORDINATOR, action: 'test.write' }, (tx) => {
      tx.put('settings', SETTINGS_ID, { ...DEFAULT_SETTINGS, audit: { retention_days: 10 } });
      tx.record({ target: null });
    });
  /** Changes the file while no coordinator has it open. */
  const tamper = async (...statements: readonly [sql: string, ...values: (string | number)[]][]) => {
    await mesh.close();
    const store = new DatabaseSync(join(folder, 'mesh.db'));
    for (const [sql, ...values] of statements) store.prepare(sql).run(...values);
    store.close();
    await open();
  };
  const verify = (trail: Pick<Journal, 'range' | 'ends'> = mesh.journal) => verifyTrail(trail, undefined);
  const found = async () => (await verify()).faults.map(({ seq, reason }) => [seq, reason]);
  const hashAt = async (seq: number) =>
    (await mesh.journal.range({ log: AUDIT_LOG, order: 'oldest_first', limit: 1, after_seq: seq - 1 }))[0]?.hash ?? '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mesh-'));
    clock = new TestClock();
    await open();
    for (let count = 0; count < HEAD; count++) await write();
  });
  afterEach(async () => {
    await mesh.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('finds what stands before the first entry and beyond the last', async () => {
    assert.deepEqual(await found(), []);
    await tamper([FORGED, 0]);
    assert.deepEqual(await found(), [[0, 'foreign']]);
    await tamper([`UPDATE entries SET seq = ? WHERE seq = 0`, HEAD + 50]);
    assert.deepEqual(await found(), [[HEAD + 50, 'foreign']]);
    await write();
    assert.deepEqual(await found(), [[HEAD + 50, 'foreign']]);
  });

  it('finds entries that were put out of sight by moving where the trail begins', async () => {
    const hash = await hashAt(3);
    await tamper(
      [`UPDATE logs SET base_seq = 3, base_hash = ?`, hash],
      [`UPDATE entries SET body = replace(body, 'test', 'fake') WHERE seq = 2`],
    );
    assert.deepEqual(await found(), [
      [3, 'cut_off'],
      [1, 'foreign'],
      [2, 'foreign'],
      [3, 'foreign'],
    ]);
    await tamper([`DELETE FROM entries WHERE seq <= 3`]);
    assert.deepEqual(await found(), [[3, 'cut_off']]);
  });

  it('takes a removal by retention only as far as the trail says it went', async () => {
    clock.advance(11 * DAY_S);
    await trimAudit(mesh);
    for (let count = 0; count < 3; count++) await write();
    assert.deepEqual([(await verify()).base.seq, await found()], [HEAD, []]);
    const hash = await hashAt(HEAD + 2);
    await tamper(
      [`UPDATE logs SET base_seq = ?, base_hash = ?`, HEAD + 2, hash],
      [`DELETE FROM entries WHERE seq <= ?`, HEAD + 2],
    );
    assert.deepEqual(await found(), [[HEAD + 2, 'cut_off']]);
  });

  it('is not robbed of its evidence by retention', async () => {
    await tamper([FORGED, 0]);
    clock.advance(11 * DAY_S);
    await trimAudit(mesh);
    assert.deepEqual(await found(), [[0, 'foreign']]);
    assert.equal((await mesh.journal.ends(AUDIT_LOG)).head_seq, HEAD);
  });

  it('calls recorded ends that cannot be ends what they are', async () => {
    for (const base of [-4, HEAD + 1, Number.MAX_SAFE_INTEGER]) {
      await tamper([`UPDATE logs SET base_seq = ?`, base]);
      assert.deepEqual(await found(), [[1, 'cut_off']]);
    }
    await tamper([`UPDATE logs SET base_seq = 0, base_hash = ?`, 'f'.repeat(64)]);
    assert.deepEqual(await found(), [
      [0, 'cut_off'],
      [1, 'altered'],
    ]);
  });

  it('has every entry against it when the ends were lost', async () => {
    await tamper([`DELETE FROM logs`]);
    assert.deepEqual(
      await found(),
      Array.from({ length: HEAD }, (_, index) => [index + 1, 'foreign']),
    );
  });

  it('names an entry alone whose hash was changed, wherever it stands', async () => {
    for (const seq of [5, 6, HEAD]) {
      await tamper([`UPDATE entries SET hash = ? WHERE seq = ?`, `${seq}`.repeat(64), seq]);
    }
    assert.deepEqual(await found(), [
      [5, 'altered'],
      [6, 'altered'],
      [HEAD, 'altered'],
    ]);
  });

  it('names an entry alone whose text was changed, also before one whose hash was', async () => {
    await tamper([`UPDATE entries SET body = replace(body, 'test', 'fake') WHERE seq = 5`]);
    assert.deepEqual(await found(), [[5, 'altered']]);
    await tamper([`UPDATE entries SET hash = ? WHERE seq = 6`, 'f'.repeat(64)]);
    assert.deepEqual(await found(), [
      [5, 'altered'],
      [6, 'altered'],
    ]);
  });

  it('still looks how an entry is filed when the one before it is missing', async () => {
    await tamper([`DELETE FROM entries WHERE seq = 5`], [`UPDATE entries SET actor = 'x' WHERE seq = 6`]);
    assert.deepEqual(await found(), [
      [5, 'missing'],
      [6, 'misplaced'],
    ]);
  });

  it('raises no alarm over what is written and removed while it looks', async () => {
    clock.advance(11 * DAY_S);
    let asked = 0;
    const report = await verify({
      ends: (log) => mesh.journal.ends(log),
      range: async (query) => {
        asked += 1;
        if (asked === 1) await trimAudit(mesh);
        await write();
        return mesh.journal.range(query);
      },
    });
    assert.deepEqual([report.faults, report.base.seq], [[], HEAD]);
    assert.notEqual(report.base.hash, CHAIN_START);
    assert.ok(report.checked >= 1);
  });
});

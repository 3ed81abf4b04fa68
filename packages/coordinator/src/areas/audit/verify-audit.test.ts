import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { type ChainReport, MeshError } from '@meshwork/contract';
import { type Journal, StoreError } from '@meshwork/store';
import { TestCoordinator } from '../../../test/harness.ts';
import type { Call } from '../handler.ts';
import { verifyAudit } from './verify-audit.ts';

describe('verifying a trail that cannot be written to any more', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
    for (let count = 0; count < 3; count++) await mesh.token();
  });
  after(() => mesh.close());

  /** Does something to the file, requests a verification, and puts the file back as it was. */
  const found = async (sql: string, undo: string) => {
    const change = async (statement: string) => {
      await mesh.down();
      const store = new DatabaseSync(join(mesh.folder, 'mesh.db'));
      store.exec(statement);
      store.close();
      await mesh.up();
    };
    await change(sql);
    const got = await mesh.ask<ChainReport>('POST', '/v1/audit/verify', { body: {} });
    await change(undo);
    assert.equal(got.status, 200, got.text);
    assert.equal(got.body.intact, false);
    return got.body.faults.map(({ seq, reason }) => [seq, reason]);
  };

  it('still gives its report, and says in it that nothing can be added', async () => {
    const copy = `INSERT INTO entries SELECT log, 5, 'audit_x', at_ms, revision, actor, action, target, body, hash
      FROM entries WHERE log = 'audit' AND seq = 4`;
    assert.deepEqual(await found(copy, "DELETE FROM entries WHERE log = 'audit' AND seq = 5"), [
      [5, 'cut_off'],
      [5, 'foreign'],
    ]);
    const endAt = (seq: number) => `UPDATE logs SET head_seq = ${seq}, head_hash =
      (SELECT hash FROM entries WHERE log = 'audit' AND seq = ${seq}) WHERE name = 'audit'`;
    assert.deepEqual(await found(endAt(3), endAt(4)), [
      [4, 'cut_off'],
      [4, 'foreign'],
    ]);
    const renamed = (from: string, to: string) => `UPDATE logs SET name = '${to}' WHERE name = '${from}'`;
    assert.deepEqual(await found(renamed('audit', 'x'), renamed('x', 'audit')), [
      [1, 'cut_off'],
      [1, 'foreign'],
      [2, 'foreign'],
      [3, 'foreign'],
      [4, 'foreign'],
    ]);
  });

  it('finds it intact, and writes that down, once it is whole again', async () => {
    const got = await mesh.ask<ChainReport>('POST', '/v1/audit/verify', { body: {} });
    assert.deepEqual([got.body.intact, got.body.head.seq], [true, 4]);
    const again = await mesh.ask<ChainReport>('POST', '/v1/audit/verify', { body: {} });
    assert.equal(again.body.head.seq, 5);
  });

  it('takes no other failure for a fault of the trail', async () => {
    const ends = { base_seq: 0, base_hash: '0'.repeat(64), head_seq: 0, head_hash: '0'.repeat(64) };
    const empty = { ends: async () => ends, range: async () => [] } as unknown as Journal;
    const failures = [new MeshError('store_unavailable', 'gone'), new StoreError('in_use', 'held'), new Error('a bug')];
    for (const failure of failures) {
      const call = { body: {}, transact: () => Promise.reject(failure) } as unknown as Call<'audit.verify'>;
      await assert.rejects(verifyAudit(empty, call), failure);
    }
  });
});

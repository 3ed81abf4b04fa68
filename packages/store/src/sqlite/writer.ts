import type { DatabaseSync } from 'node:sqlite';
import { CHAIN_START } from '@meshwork/contract/chain';
import type { Batch } from '../batch.ts';
import type { Entry, Revision } from '../journal.ts';
import { type LogHead, linkEntries } from '../link-entries.ts';
import { StoreError } from '../store-error.ts';
import type { MarkBatch } from './mark-ledger.ts';
import { isDuplicate } from './sqlite-fault.ts';
import { Statements } from './statements.ts';
import { type StampedMark, storedMarks } from './stored-marks.ts';
import { Transactions } from './transactions.ts';

const PUT_DOCUMENT = `
  INSERT INTO documents (kind, id, revision, body) VALUES (?, ?, ?, ?)
  ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision, body = excluded.body`;

const PUT_ENTRY = `
  INSERT INTO entries (log, seq, id, at_ms, revision, actor, action, target, body, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const MOVE_LOG = `
  INSERT INTO logs (name, chained, base_seq, base_hash, head_seq, head_hash) VALUES (?, ?, 0, '${CHAIN_START}', ?, ?)
  ON CONFLICT (name) DO UPDATE SET head_seq = excluded.head_seq, head_hash = excluded.head_hash`;

/** A mark older than the stored one changes nothing, the stamp included. */
const PUT_MARK = `
  INSERT INTO marks (key, at_ms, count, body, stamp) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE
  SET at_ms = excluded.at_ms, count = excluded.count, body = excluded.body, stamp = excluded.stamp
  WHERE excluded.at_ms >= marks.at_ms`;

const OLDEST_ENTRIES = 'SELECT seq, at_ms, hash FROM entries WHERE log = ? ORDER BY seq LIMIT ?';

const FORGET_DELETIONS = `
  DELETE FROM documents WHERE rowid IN (
    SELECT rowid FROM documents WHERE body IS NULL AND revision <= (SELECT horizon FROM head) LIMIT ?)`;

/** Everything that changes the store's file, observations apart. Each method is one transaction and one sync. */
export class SqliteWriter {
  readonly #sql: Statements;
  readonly #transactions: Transactions;

  constructor(db: DatabaseSync) {
    this.#sql = new Statements(db);
    this.#transactions = new Transactions(db, this.#sql);
  }

  commit(batch: Batch): void {
    this.#transactions.run(() => {
      for (const { kind, id, revision, body } of batch.documents) this.#sql.run(PUT_DOCUMENT, kind, id, revision, body);
      const linked = linkEntries(batch.appends, this.#headsOf(batch));
      for (const entry of linked.entries) this.#append(entry);
      for (const [log, head] of linked.heads) this.#sql.run(MOVE_LOG, log, Number(head.chained), head.seq, head.hash);
      const moved = this.#sql.run('UPDATE head SET revision = ? WHERE revision = ?', batch.revision, batch.after);
      if (moved !== 1) throw new Error(`the store does not stand at revision ${batch.after}`);
    });
  }

  /** Removes at most `limit` entries, so that commits need not wait for a long trim. */
  trimSome(log: string, beforeMs: number, limit: number): number {
    return this.#transactions.run(() => {
      const oldest = this.#sql.all<Pick<Entry, 'seq' | 'at_ms' | 'hash'>>(OLDEST_ENTRIES, log, limit);
      const kept = oldest.findIndex((entry) => entry.at_ms >= beforeMs);
      const last = oldest.at(kept === -1 ? -1 : kept - 1);
      if (kept === 0 || last === undefined) return 0;
      this.#sql.run(
        'UPDATE logs SET base_seq = ?, base_hash = coalesce(?, base_hash) WHERE name = ?',
        last.seq,
        last.hash,
        log,
      );
      return this.#sql.run('DELETE FROM entries WHERE log = ? AND seq <= ?', log, last.seq);
    });
  }

  /** Forgets at most `limit` deletions. */
  compactSome(upTo: Revision, limit: number): number {
    return this.#transactions.run(() => {
      this.#sql.run('UPDATE head SET horizon = max(horizon, min(revision, ?))', upTo);
      return this.#sql.run(FORGET_DELETIONS, limit);
    });
  }

  /** Returns the stamp of the batch. */
  mark({ text, settled }: MarkBatch): number {
    return this.#transactions.run(() => {
      const { stamp } = this.#sql.only<{ stamp: number }>(
        'UPDATE head SET mark_stamp = mark_stamp + 1 RETURNING mark_stamp AS stamp',
      );
      this.#sql.run('INSERT INTO mark_batches (stamp, marks) VALUES (?, ?)', stamp, text);
      if (settled !== null) {
        for (const mark of settled.marks) this.#putMark(mark);
        this.#sql.run('DELETE FROM mark_batches WHERE stamp = ?', settled.stamp);
      }
      return stamp;
    });
  }

  /**
   * Gives a row of its own to every mark of the batches that an earlier process left. Returns the time of each key's
   * latest mark.
   */
  settleMarks(): ReadonlyMap<string, number> {
    return this.#transactions.run(() => {
      const latest = storedMarks(this.#sql);
      const { oldest } = this.#sql.only<{ oldest: number | null }>('SELECT min(stamp) AS oldest FROM mark_batches');
      const batched = latest.values().filter(({ stamp }) => oldest !== null && stamp >= oldest);
      for (const mark of batched) this.#putMark(mark);
      this.#sql.run('DELETE FROM mark_batches');
      return new Map(Array.from(latest.values(), ({ key, at_ms }) => [key, at_ms]));
    });
  }

  /** Writes something that changes nothing, to find out whether writing works. */
  touch(): void {
    this.#transactions.run(() => this.#sql.run('UPDATE head SET revision = revision'));
  }

  #putMark({ key, at_ms, count, body, stamp }: StampedMark): void {
    this.#sql.run(PUT_MARK, key, at_ms, count, body, stamp);
  }

  #headsOf(batch: Batch): Map<string, LogHead> {
    const heads = new Map<string, LogHead>();
    for (const log of new Set(batch.appends.map((append) => append.log))) {
      const head = this.#sql.first<{ chained: 0 | 1; seq: number; hash: string }>(
        'SELECT chained, head_seq AS seq, head_hash AS hash FROM logs WHERE name = ?',
        log,
      );
      if (head !== undefined) heads.set(log, { ...head, chained: head.chained === 1 });
    }
    return heads;
  }

  #append({ log, seq, id, at_ms, revision, actor, action, target, body, hash }: Entry): void {
    try {
      this.#sql.run(PUT_ENTRY, log, seq, id, at_ms, revision, actor, action, target, body, hash);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      throw new StoreError('misuse', `the log ${log} already has an entry ${id}`, { cause: error });
    }
  }
}

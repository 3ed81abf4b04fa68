import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store-error.ts';
import { isFailedSync } from './sqlite-fault.ts';
import type { Statements } from './statements.ts';

/** Transactions of the connection that writes a file, each on disk when it returns. */
export class Transactions {
  readonly #db: DatabaseSync;
  readonly #sql: Statements;
  #broken: Error | undefined;

  constructor(db: DatabaseSync, sql: Statements) {
    this.#db = db;
    this.#sql = sql;
  }

  run<T>(work: () => T): T {
    if (this.#broken !== undefined) {
      throw new StoreError('unavailable', 'a sync to disk failed; open the store anew', { cause: this.#broken });
    }
    this.#sql.run('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#sql.run('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#sql.run('ROLLBACK');
      if (!(error instanceof Error) || !isFailedSync(error)) throw error;
      this.#broken = error;
      throw new StoreError('outcome_unknown', `a sync to disk failed: ${error.message}`, { cause: error });
    }
  }
}

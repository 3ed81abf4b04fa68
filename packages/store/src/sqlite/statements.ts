import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/**
 * Prepared statements of one connection, each prepared once. A row has the type its caller says: all tables are STRICT,
 * so a column holds what it was declared to hold.
 */
export class Statements {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Returns how many rows it changed. */
  run(sql: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  first<Row>(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  /** For questions that always have an answer. */
  only<Row>(sql: string, ...values: readonly SQLInputValue[]): Row {
    const row = this.first<Row>(sql, ...values);
    if (row === undefined) throw new Error(`no row: ${sql}`);
    return row;
  }

  all<Row>(sql: string, ...values: readonly SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** Rows as arrays, one by one. Not kept prepared: an iteration may be left half-way. */
  *each<Row extends readonly unknown[]>(sql: string, ...values: readonly SQLInputValue[]): Generator<Row, void> {
    const statement = this.#db.prepare(sql);
    statement.setReturnArrays(true);
    for (const row of statement.iterate(...values)) yield row as unknown as Row;
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}

import type { DatabaseSync } from 'node:sqlite';
import type { Observation, ObservationPlace, ObservationQuery } from '../journal.ts';
import {
  addBoundsByKey,
  everyKeySql,
  firstBeyondSql,
  inOrder,
  type Removal,
  removalSql,
} from '../observation-query.ts';
import { SqlConditions } from '../sql-conditions.ts';
import { Statements } from './statements.ts';
import { Transactions } from './transactions.ts';

/** Log, key, time, id and body, one after another: copying one flat array between threads is the fastest. */
type ObservationRows = readonly (string | number)[];

type Bound = Pick<ObservationQuery, 'from_ms' | 'to_ms'>;

/** What was found, and the bound to look on from where there may be more. */
interface Found {
  readonly observations: readonly Observation[];
  readonly go_on?: Bound;
}

/** As in the index by key; see `migrations.ts`. */
const WINDOW_MS = 600_000;
/** Windows looked at in one call, a few milliseconds: appends wait for it. */
const WINDOWS_A_CALL = 1_000;

const PUT = 'INSERT INTO observations (log, key, at_ms, id, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING';

/** Everything that is done with the file of observations. */
export class ObservationFile {
  readonly #sql: Statements;
  readonly #transactions: Transactions;

  constructor(db: DatabaseSync) {
    this.#sql = new Statements(db);
    this.#transactions = new Transactions(db, this.#sql);
  }

  append(rows: ObservationRows): void {
    this.#transactions.run(() => {
      for (let at = 0; at < rows.length; at += 5) {
        const [log, key, at_ms, id, body] = rows.slice(at, at + 5) as [string, string, number, string, string];
        this.#sql.run(PUT, log, key, at_ms, id, body);
      }
    });
  }

  range(query: ObservationQuery): Found {
    const { keys, limit } = query;
    if (keys === undefined) {
      const { text, values } = everyKeySql(query, '?');
      return { observations: this.#sql.all<Observation>(text, ...values) };
    }
    const found: Observation[] = [];
    let bound: Bound = {};
    for (let looked = 0; looked < WINDOWS_A_CALL; looked += 1) {
      const at_ms = this.#nextTime({ ...query, ...bound });
      if (at_ms === undefined) return { observations: found };
      const window = Math.trunc(at_ms / WINDOW_MS);
      for (const observation of this.#inWindow(query, window, limit - found.length)) found.push(observation);
      if (found.length === limit) return { observations: found };
      bound = beyondWindow(query, window);
    }
    return { observations: found, go_on: bound };
  }

  firstBeyond(log: string, most: number): ObservationPlace | undefined {
    return this.#sql.first<ObservationPlace>(firstBeyondSql('?'), log, most);
  }

  /** Removes at most `limit` of them, the oldest first. */
  removeSome(log: string, removal: Removal, limit: number): number {
    const { text, values } = removalSql('rowid', { log, removal, limit });
    return this.#transactions.run(() => this.#sql.run(`DELETE FROM observations WHERE rowid IN (${text})`, ...values));
  }

  /** The time of the first observation of any key from here on: windows without one are passed over. */
  #nextTime(query: ObservationQuery): number | undefined {
    const { text, values } = everyKeySql({ ...query, limit: 1 }, '?');
    return this.#sql.first<Observation>(text, ...values)?.at_ms;
  }

  #inWindow(query: ObservationQuery, window: number, limit: number): Observation[] {
    const where = new SqlConditions('?');
    where.add('log =', query.log);
    where.add(`at_ms / ${WINDOW_MS} =`, window);
    where.addText(`key IN (SELECT value FROM json_each(${where.parameter(JSON.stringify(query.keys))}))`);
    addBoundsByKey(where, query);
    const most = where.parameter(limit);
    const text = `SELECT log, key, at_ms, id, body FROM observations INDEXED BY observations_by_key
      WHERE ${where.text} ORDER BY ${inOrder(query)} LIMIT ${most}`;
    return this.#sql.all<Observation>(text, ...where.values);
  }
}

/** Division rounds towards zero, so the window around zero is twice as wide as the others. */
function beyondWindow({ order }: ObservationQuery, window: number): Bound {
  if (order === 'oldest_first') return { from_ms: window < 0 ? window * WINDOW_MS + 1 : (window + 1) * WINDOW_MS };
  return { to_ms: window > 0 ? window * WINDOW_MS : (window - 1) * WINDOW_MS + 1 };
}

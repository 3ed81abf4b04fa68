import type pg from 'pg';
import type { Observation, ObservationPlace, ObservationQuery, ObservationRetention } from '../journal.ts';
import {
  addBoundsByKey,
  everyKeySql,
  firstBeyondSql,
  inOrder,
  type Removal,
  removalSql,
  removalsOf,
} from '../observation-query.ts';
import type { ObservationStore } from '../observations.ts';
import { SqlConditions } from '../sql-conditions.ts';
import { StoreError } from '../store-error.ts';
import { ask, askOne, type Question } from './ask.ts';
import type { Server } from './connect.ts';
import { KeptConnection } from './kept-connection.ts';

/** Rows removed by one statement. */
const REMOVAL_CHUNK = 2_000;

const PUT = `
  INSERT INTO observations (log, key, at_ms, id, body)
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[])
  ON CONFLICT DO NOTHING`;

/** Observations in a table of their own, written over a connection of their own: they take no lock that a commit takes. */
export class PostgresObservations implements ObservationStore {
  readonly #pool: pg.Pool;
  readonly #connection: KeptConnection;

  constructor(server: Server, pool: pg.Pool) {
    this.#pool = pool;
    this.#connection = new KeptConnection(server, 'observe');
  }

  /** Tried again on a new connection when the first broke: what is already there is left out, so nothing doubles. */
  async append(slice: readonly Observation[]): Promise<void> {
    const values = columnsOf(slice);
    const client = await this.#connection.use();
    try {
      await put(client, values);
    } catch (error) {
      if (!(error instanceof StoreError) || error.fault !== 'unavailable') throw error;
      this.#connection.drop();
      await this.#putAgain(values, error);
    }
  }

  range(query: ObservationQuery): Promise<readonly Observation[]> {
    const { keys } = query;
    return ask<Observation>(this.#pool, keys === undefined ? everyKeySql(query, '$') : someKeysSql(query, keys));
  }

  prune(log: string, retention: ObservationRetention): Promise<number> {
    const firstBeyond = async (most: number) => {
      const [place] = await ask<ObservationPlace>(this.#pool, { text: firstBeyondSql('$'), values: [log, most] });
      return place;
    };
    return removalsOf(retention, firstBeyond, (removal) => this.#remove(log, removal));
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #putAgain(values: readonly unknown[], first: StoreError): Promise<void> {
    try {
      await put(await this.#connection.use(), values);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#connection.drop();
      const message = 'the connection broke while observations were written, and their outcome could not be found out';
      throw new StoreError('outcome_unknown', message, { cause: new AggregateError([first, error]) });
    }
  }

  /** Passes over what another coordinator is just removing. */
  async #remove(log: string, removal: Removal): Promise<number> {
    const { text, values } = removalSql('ctid', { log, removal, limit: REMOVAL_CHUNK });
    const remove = `
      WITH removed AS (
        DELETE FROM observations WHERE ctid = ANY (ARRAY(${text} FOR UPDATE SKIP LOCKED)) RETURNING 1
      )
      SELECT count(*) AS observations FROM removed`;
    for (let removed = 0; ; ) {
      const { observations } = await askOne<{ observations: number }>(this.#pool, { text: remove, values });
      removed += observations;
      if (observations < REMOVAL_CHUNK) return removed;
    }
  }
}

async function put(client: pg.Client, values: readonly unknown[]): Promise<void> {
  await ask(client, { name: 'put-observations', text: PUT, values });
}

/**
 * Each column of rows travels as one array. In the order of their places: two coordinators that write the same ones at
 * the same time wait for each other in the same order.
 */
function columnsOf(slice: readonly Observation[]): unknown[][] {
  const sorted = slice.toSorted(byPlace);
  return (['log', 'key', 'at_ms', 'id', 'body'] as const).map((column) => sorted.map((row) => row[column]));
}

function byPlace(a: Observation, b: Observation): number {
  return a.at_ms - b.at_ms || compare(a.log, b.log) || compare(a.key, b.key) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** At most the limit of each key, so that a key with few among many costs no more than it has. */
function someKeysSql(query: ObservationQuery, keys: readonly string[]): Question {
  const where = new SqlConditions('$');
  const limit = where.parameter(query.limit);
  where.add('log =', query.log);
  where.addText('key = wanted.name');
  addBoundsByKey(where, query);
  const order = inOrder(query);
  const wanted = `unnest($${where.values.length + 1}::text[]) AS wanted (name)`;
  const text = `
    SELECT found.* FROM ${wanted} CROSS JOIN LATERAL (
      SELECT log, key, at_ms, id, body FROM observations WHERE ${where.text} ORDER BY ${order} LIMIT ${limit}
    ) AS found ORDER BY ${order} LIMIT ${limit}`;
  return { text, values: [...where.values, keys] };
}

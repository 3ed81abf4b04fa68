import type pg from 'pg';
import type { Document, Entry, LogEnds, LogQuery, Mark, Revision } from '../journal.ts';
import { EMPTY_LOG } from '../link-entries.ts';
import { entrySql, rangeSql, type Window, windowSql } from '../log-query.ts';
import { ask, askOne } from './ask.ts';
import { withFault } from './postgres-fault.ts';

/** Documents fetched at a time. */
const LOAD_CHUNK = 5_000;

export async function load(pool: pg.Pool, visit: (documents: readonly Document[]) => void): Promise<Revision> {
  return standingStill(pool, async (client) => {
    const { revision } = await askOne<{ revision: Revision }>(client, 'SELECT revision FROM head');
    await ask(
      client,
      'DECLARE everything NO SCROLL CURSOR FOR SELECT kind, id, revision, body FROM documents WHERE body IS NOT NULL',
    );
    for (;;) {
      const documents = await ask<Document>(client, `FETCH ${LOAD_CHUNK} FROM everything`);
      if (documents.length === 0) return revision;
      visit(documents);
    }
  });
}

export async function range(pool: pg.Pool, query: LogQuery): Promise<readonly Entry[]> {
  const asked = windowSql(query, '$');
  if (asked === undefined) return ask<Entry>(pool, rangeSql(query, undefined, '$'));
  return standingStill(pool, async (client) => {
    const window = await askOne<Window>(client, asked);
    return ask<Entry>(client, rangeSql(query, window, '$'));
  });
}

export async function entry(pool: pg.Pool, log: string, id: string): Promise<Entry | undefined> {
  const [found] = await ask<Entry>(pool, { text: entrySql('$'), values: [log, id] });
  return found;
}

export async function ends(pool: pg.Pool, log: string): Promise<LogEnds> {
  const text = 'SELECT base_seq, base_hash, head_seq, head_hash FROM logs WHERE name = $1';
  const [found] = await ask<LogEnds>(pool, { text, values: [log] });
  return found ?? EMPTY_LOG;
}

/** Stamps are assigned under a lock that is held until they are committed: a reader that sees one has seen all before it. */
export async function marks(pool: pg.Pool, since: number): Promise<{ stamp: number; marks: readonly Mark[] }> {
  return standingStill(pool, async (client) => {
    const { stamp } = await askOne<{ stamp: number }>(client, 'SELECT stamp FROM mark_stamp');
    const text = 'SELECT key, at_ms, count, body FROM marks WHERE stamp > $1';
    return { stamp, marks: await ask<Mark>(client, { text, values: [since] }) };
  });
}

/** Several queries, answered from the same commit. */
async function standingStill<T>(pool: pg.Pool, look: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await checkOut(pool);
  // The next query fails on a broken connection. An error event without a listener would end the process.
  const ignore = () => undefined;
  client.on('error', ignore);
  try {
    await ask(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const result = await look(client);
    await ask(client, 'COMMIT');
    client.release();
    return result;
  } catch (error) {
    // Given up rather than given back: its transaction may still be open.
    client.release(true);
    throw error;
  } finally {
    client.removeListener('error', ignore);
  }
}

async function checkOut(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw withFault(error);
  }
}

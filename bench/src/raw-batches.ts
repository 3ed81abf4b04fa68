import { DatabaseSync } from 'node:sqlite';
import type { Observation } from '@meshwork/store';
import pg from 'pg';

/** A table that takes rows in batches, each durable, and does nothing else. */
export interface RawBatches {
  insert(rows: readonly Observation[]): Promise<void>;
  close(): Promise<void>;
}

const NODES = 2_000;
const BODY = JSON.stringify({ cpu: 0.42, memory_bytes: 3_221_225_472, padding: 'x'.repeat(240) });
let made = 0;

/** One of each node after the other, a round of all nodes a minute. */
export function newObservations(count: number): readonly Observation[] {
  return Array.from({ length: count }, () => {
    const [round, node] = [Math.floor(made / NODES), made % NODES];
    made += 1;
    const key = `node_01hq3v9r${String(node).padStart(8, '0')}`;
    return { log: 'telemetry', key, at_ms: 1_763_190_000_000 + round * 60_000 + node * 30, id: 'minute', body: BODY };
  });
}

export function rawSqlite(file: string, indexed: boolean): RawBatches {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec('CREATE TABLE raw (log TEXT, key TEXT, at_ms INTEGER, id TEXT, body TEXT) STRICT');
  if (indexed) {
    db.exec(`CREATE UNIQUE INDEX by_time ON raw (log, at_ms, key, id);
      CREATE INDEX by_key ON raw (log, at_ms / 600000, key, at_ms)`);
  }
  const put = db.prepare('INSERT INTO raw VALUES (?, ?, ?, ?, ?)');
  return {
    async insert(rows) {
      db.exec('BEGIN IMMEDIATE');
      for (const { log, key, at_ms, id, body } of rows) put.run(log, key, at_ms, id, body);
      db.exec('COMMIT');
    },
    async close() {
      db.close();
    },
  };
}

export async function rawPostgres(address: string, indexed: boolean): Promise<RawBatches> {
  const client = new pg.Client(address);
  await client.connect();
  const table = indexed ? 'raw_indexed' : 'raw_plain';
  await client.query(`CREATE TABLE ${table} (log text, key text, at_ms bigint, id text, body text)`);
  if (indexed) {
    await client.query(`CREATE UNIQUE INDEX ON ${table} (log COLLATE "C", at_ms, key COLLATE "C", id COLLATE "C");
      CREATE INDEX ON ${table} (log COLLATE "C", key COLLATE "C", at_ms)`);
  }
  const text = `INSERT INTO ${table}
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[])`;
  return {
    async insert(rows) {
      const columns = (['log', 'key', 'at_ms', 'id', 'body'] as const).map((name) => rows.map((row) => row[name]));
      await client.query({ name: 'raw', text, values: columns });
    },
    async close() {
      await client.end();
    },
  };
}

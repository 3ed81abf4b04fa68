import pg from 'pg';
import { refuseNewer } from '../schema-version.ts';
import { StoreError } from '../store-error.ts';
import { ask, askOne } from './ask.ts';
import { connect, disconnect, type Server } from './connect.ts';

/**
 * Each entry takes a store from the version of its index to the next. Never edit one that was released; add another.
 * Coordinators of the version before may still be running: what they read and write must go on working.
 *
 * Names compare by bytes (`COLLATE "C"`), as in SQLite, and without the locale's cost.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE head (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    revision bigint NOT NULL,
    horizon bigint NOT NULL
  );
  INSERT INTO head (revision, horizon) VALUES (0, 0);

  CREATE TABLE documents (
    kind text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    body text,
    PRIMARY KEY (kind, id)
  );
  CREATE INDEX documents_by_revision ON documents (revision);
  CREATE INDEX deletions ON documents (revision) WHERE body IS NULL;

  CREATE TABLE logs (
    name text COLLATE "C" PRIMARY KEY,
    chained boolean NOT NULL,
    base_seq bigint NOT NULL,
    base_hash text NOT NULL,
    head_seq bigint NOT NULL,
    head_hash text NOT NULL
  );

  CREATE TABLE entries (
    log text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    at_ms bigint NOT NULL,
    revision bigint NOT NULL,
    actor text COLLATE "C",
    action text COLLATE "C",
    target text COLLATE "C",
    body text NOT NULL,
    hash text,
    PRIMARY KEY (log, seq)
  );
  CREATE UNIQUE INDEX entries_by_id ON entries (log, id);
  CREATE INDEX entries_by_time ON entries (log, at_ms, seq);
  CREATE INDEX entries_by_actor ON entries (log, actor, seq) WHERE actor IS NOT NULL;
  CREATE INDEX entries_by_action ON entries (log, action, seq) WHERE action IS NOT NULL;
  CREATE INDEX entries_by_target ON entries (log, target, seq) WHERE target IS NOT NULL;

  CREATE TABLE marks (
    key text COLLATE "C" PRIMARY KEY,
    at_ms bigint NOT NULL,
    body text,
    stamp bigint NOT NULL
  );
  CREATE INDEX marks_by_stamp ON marks (stamp);

  -- Apart from the head row, so that marks need not wait for commits.
  CREATE TABLE mark_stamp (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    stamp bigint NOT NULL
  );
  INSERT INTO mark_stamp (stamp) VALUES (0);

  -- The last commit of each coordinator, to find out what became of one whose connection broke.
  CREATE TABLE writers (
    writer uuid PRIMARY KEY,
    last_commit bigint NOT NULL,
    seen_at timestamptz NOT NULL
  );
  `,
  // With a default, because coordinators of the version before write marks without it.
  `
  ALTER TABLE marks ADD COLUMN count bigint NOT NULL DEFAULT 0;
  `,
  `
  CREATE TABLE observations (
    log text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    at_ms bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    body text NOT NULL
  );
  CREATE UNIQUE INDEX observations_by_time ON observations (log, at_ms, key, id);
  CREATE INDEX observations_by_key ON observations (log, key, at_ms);
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** The oldest server with everything we use (`idle_session_timeout`). */
const OLDEST_SERVER = 140_000;

/** Creates or upgrades the tables. Any number of coordinators may start at once: one migrates, the others wait. */
export async function migrate(server: Server): Promise<void> {
  const client = await connect(server, 'migrate');
  try {
    await requireServer(client);
    await ask(client, 'BEGIN');
    await ask(client, {
      text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
      values: [`meshwork migrate ${server.schema}`],
    });
    await upgrade(client, server.schema);
    // Coordinators that have been gone for long; one that is still there writes its row again.
    await ask(client, "DELETE FROM writers WHERE seen_at < now() - interval '7 days'");
    await ask(client, 'COMMIT');
  } finally {
    // Ends the transaction too, where it was left open.
    await disconnect(client);
  }
}

async function requireServer(client: pg.Client): Promise<void> {
  const found = await askOne<{ version: number; encoding: string }>(
    client,
    "SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding",
  );
  if (found.version < OLDEST_SERVER) {
    throw new StoreError('misuse', `PostgreSQL 14 or newer is needed; this server is ${found.version}`);
  }
  if (found.encoding !== 'UTF8') {
    throw new StoreError('misuse', `the database must have the encoding UTF8; it has ${found.encoding}`);
  }
}

async function upgrade(client: pg.Client, schema: string): Promise<void> {
  const exists = await ask(client, { text: 'SELECT 1 FROM pg_namespace WHERE nspname = $1', values: [schema] });
  // Asked first: IF NOT EXISTS would need the right to create schemas even where an operator has made ours.
  if (exists.length === 0) await ask(client, `CREATE SCHEMA ${pg.escapeIdentifier(schema)}`);
  await ask(client, 'CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)');
  const [row] = await ask<{ version: number }>(client, 'SELECT version FROM schema_version');
  const found = row?.version ?? 0;
  refuseNewer(`the store in the schema ${schema}`, found, SCHEMA_VERSION);
  if (row === undefined) await ask(client, 'INSERT INTO schema_version (version) VALUES (0)');
  for (const migration of MIGRATIONS.slice(found)) await ask(client, migration);
  await ask(client, { text: 'UPDATE schema_version SET version = $1', values: [SCHEMA_VERSION] });
}

import type { DatabaseSync } from 'node:sqlite';
import { refuseNewer } from '../schema-version.ts';
import { StoreError } from '../store-error.ts';

/** What a file of ours is made of. */
interface FileSchema {
  /** Kept in the file's header: tells our files from SQLite files of other programs. */
  readonly application_id: number;
  /** Each takes a file from the version of its index to the next. Never edit one that was released; add another. */
  readonly migrations: readonly string[];
}

/**
 * Rows of documents and entries are too big for WITHOUT ROWID: the inner pages of such a table hold whole rows, which
 * made a first fill of 100,000 documents four times slower.
 *
 * There is no index on `documents.revision`: it cost a third of the throughput of batched updates, and only this process
 * writes the file, so a reader that applies its own commits is never behind. `since` for one that is reads the table.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE head (
    single INTEGER PRIMARY KEY CHECK (single = 1),
    revision INTEGER NOT NULL,
    horizon INTEGER NOT NULL,
    mark_stamp INTEGER NOT NULL
  ) STRICT;
  INSERT INTO head VALUES (1, 0, 0, 0);

  CREATE TABLE documents (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    body TEXT,
    PRIMARY KEY (kind, id)
  ) STRICT;
  CREATE INDEX deletions ON documents (revision) WHERE body IS NULL;

  CREATE TABLE logs (
    name TEXT PRIMARY KEY,
    chained INTEGER NOT NULL,
    base_seq INTEGER NOT NULL,
    base_hash TEXT NOT NULL,
    head_seq INTEGER NOT NULL,
    head_hash TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE entries (
    log TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    actor TEXT,
    action TEXT,
    target TEXT,
    body TEXT NOT NULL,
    hash TEXT,
    PRIMARY KEY (log, seq)
  ) STRICT;
  CREATE UNIQUE INDEX entries_by_id ON entries (log, id);
  CREATE INDEX entries_by_time ON entries (log, at_ms, seq);
  CREATE INDEX entries_by_actor ON entries (log, actor, seq) WHERE actor IS NOT NULL;
  CREATE INDEX entries_by_action ON entries (log, action, seq) WHERE action IS NOT NULL;
  CREATE INDEX entries_by_target ON entries (log, target, seq) WHERE target IS NOT NULL;

  CREATE TABLE marks (
    key TEXT PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    body TEXT,
    stamp INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX marks_by_stamp ON marks (stamp);
  `,
  // Marks as they come, many in one row (see mark-ledger.ts). Those that nothing replaces end up in `marks`.
  `
  CREATE TABLE mark_batches (stamp INTEGER PRIMARY KEY, marks TEXT NOT NULL) STRICT;
  `,
  // Batches had all marks in full, as JSON, before they were what mark-text.ts says: they get their rows here.
  `
  ALTER TABLE marks ADD COLUMN count INTEGER NOT NULL DEFAULT 0;
  INSERT INTO marks (key, at_ms, body, stamp)
  SELECT mark.value ->> 'key', mark.value ->> 'at_ms' AS at_ms, mark.value ->> 'body', stamp
  FROM mark_batches, json_each(marks) AS mark WHERE true ORDER BY at_ms, stamp
  ON CONFLICT (key) DO UPDATE SET at_ms = excluded.at_ms, body = excluded.body, stamp = excluded.stamp
  WHERE excluded.at_ms >= marks.at_ms;
  DELETE FROM mark_batches;
  `,
];

/**
 * Observations, in a file of their own (docs/decisions/0041-logs-outside-commits.md).
 *
 * The index by key is sorted by windows of ten minutes first, so that new rows change the few pages of the latest window.
 * With the key first, each row of a slice changed a page of its own, and a longer history made it slower. A query by key
 * looks into one window after the other (observation-file.ts).
 */
const OBSERVATION_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE observations (
    log TEXT NOT NULL,
    key TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX observations_by_time ON observations (log, at_ms, key, id);
  CREATE INDEX observations_by_key ON observations (log, at_ms / 600000, key, at_ms);
  `,
];

/** "Mesh" in ASCII. */
const STORE: FileSchema = { application_id: 0x4d657368, migrations: MIGRATIONS };
/** "MeOb". */
export const OBSERVATIONS: FileSchema = { application_id: 0x4d654f62, migrations: OBSERVATION_MIGRATIONS };

export const SCHEMA_VERSION = MIGRATIONS.length;

/** Refuses what this program must not write to. Runs before anything in the file is changed. */
export function recogniseStore(db: DatabaseSync, file: string, schema = STORE): void {
  const found = schemaVersion(db);
  refuseNewer(`the store ${file}`, found, schema.migrations.length);
  const tables = db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n;
  const ours = db.prepare('PRAGMA application_id').get()?.application_id === schema.application_id;
  if (!ours && (tables !== 0 || found !== 0)) {
    throw new StoreError('misuse', `${file} is an SQLite database, but not one of Meshwork's`);
  }
}

/** `upTo` is for tests, which need stores as they were. */
export function migrate(db: DatabaseSync, upTo = SCHEMA_VERSION, schema = STORE): void {
  for (let version = schemaVersion(db); version < upTo; version += 1) {
    // Both pragmas live in the header page, so they are part of the transaction.
    db.exec(`BEGIN IMMEDIATE; ${schema.migrations[version]}
      PRAGMA application_id = ${schema.application_id}; PRAGMA user_version = ${version + 1}; COMMIT;`);
  }
}

function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}

import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store-error.ts';
import { Claim } from './claim.ts';
import { migrate, OBSERVATIONS, recogniseStore } from './migrations.ts';

/** SQLite's number for `synchronous=FULL`: a commit returns after the log of it was synced to disk. */
const SYNCHRONOUS_FULL = 2;

export interface SqliteOptions {
  /** The most each file of the store may grow to; beyond it writes fail as `full`. Absent: as much as the disk holds. */
  readonly max_bytes?: number;
}

/** The connection that writes, and the claim that makes it the only one. */
export interface WritableStore {
  readonly db: DatabaseSync;
  readonly claim: Claim;
}

export function openToWrite(file: string, options: SqliteOptions): WritableStore {
  makeFolder(dirname(file));
  createPrivately(file);
  createPrivately(`${file}.lock`);
  for (const suffix of ['', '.lock', '-wal', '-shm']) requirePrivate(file + suffix);
  const claim = new Claim(file, `${file}.lock`);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: false });
    recogniseStore(db, file);
    requireUndamaged(db, file);
    makeDurable(db);
    migrate(db);
    if (options.max_bytes !== undefined) limitSize(db, options.max_bytes);
    return { db, claim };
  } catch (error) {
    db?.close();
    claim.release();
    throw error;
  }
}

/**
 * The file of observations beside a store that is already open: the store's claim covers it. It is not checked for damage
 * at the start, which takes long in a large file. A call that reads a damaged page fails as `damaged`; commits go on.
 */
export function openObservations(file: string, options: SqliteOptions): DatabaseSync {
  createPrivately(file);
  for (const suffix of ['', '-wal', '-shm']) requirePrivate(file + suffix);
  const db = new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: false });
  try {
    recogniseStore(db, file, OBSERVATIONS);
    makeDurable(db);
    migrate(db, OBSERVATIONS.migrations.length, OBSERVATIONS);
    if (options.max_bytes !== undefined) limitSize(db, options.max_bytes);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Level by level: Node's own `recursive` never returns where the system refuses to make a folder, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was first, which is as good; if it is no folder, creating the store in it will say so.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** The write-ahead files that SQLite adds take over the permissions of the file itself. */
function createPrivately(file: string): void {
  // What is there is not opened: with its closing, this process would lose every lock that it has on it.
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return;
  closeSync(openSync(file, 'a', 0o600));
}

function requirePrivate(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) === 0) return;
  const text = (mode & 0o777).toString(8);
  throw new StoreError('misuse', `the store ${file} is open to others (mode ${text}). Make it 600: chmod 600 ${file}`);
}

/**
 * `quick_check` walks every page and every row. It leaves out comparing each index with its table, which takes about
 * four times as long and would find mistakes of SQLite rather than of a disk.
 */
function requireUndamaged(db: DatabaseSync, file: string): void {
  const findings = db
    .prepare('PRAGMA quick_check(3)')
    .all()
    .map(({ quick_check }) => String(quick_check));
  if (findings.join() === 'ok') return;
  throw new StoreError('damaged', `the store ${file} is damaged; restore it from a backup. ${findings.join('; ')}`);
}

function makeDurable(db: DatabaseSync): void {
  const mode = db.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
  db.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864');
  db.exec('PRAGMA cache_size = -16000; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
  const synchronous = db.prepare('PRAGMA synchronous').get()?.synchronous;
  if (mode !== 'wal' || synchronous !== SYNCHRONOUS_FULL) {
    throw new StoreError('unavailable', `SQLite chose journal mode ${mode}, synchronous ${synchronous}: not durable`);
  }
}

function limitSize(db: DatabaseSync, maxBytes: number): void {
  const pageSize = Number(db.prepare('PRAGMA page_size').get()?.page_size);
  db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / pageSize))}`);
}

import { readFile } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import type { RelayFolder } from './relay-folder.ts';
import { RELAY_FILES } from './turn-config.ts';

/** As Debian's package brings it. */
const SCHEMA = '/usr/share/coturn/schema.sql';
/** For every realm. */
const ANY_REALM = '';
/** Ours: coturn holds it for a moment at a time. */
const BUSY_MS = 2000;

interface RelayAccessLists {
  readonly realm: string;
  /** What credentials are made with. */
  readonly secrets: readonly string[];
  /** Addresses that the relay may send to. */
  readonly peers: readonly string[];
}

/**
 * What coturn reads again while it runs: secrets and the addresses of relays. So neither a new relay nor a new secret ends an
 * allocation. What is written is in effect within some seconds.
 */
export class RelayDatabase {
  readonly #folder: RelayFolder;

  constructor(folder: RelayFolder) {
    this.#folder = folder;
  }

  /** Changes what differs. */
  async put({ realm, secrets, peers }: RelayAccessLists): Promise<void> {
    const schema = await readFile(SCHEMA, 'utf8');
    await this.#folder.own(RELAY_FILES.database);
    using database = await this.#open();
    const table = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'turn_secret'");
    if (table.get() === undefined) database.exec(`BEGIN; ${schema} COMMIT;`);
    putColumn(database, { table: 'turn_secret', column: 'value', realm }, secrets);
    putColumn(database, { table: 'allowed_peer_ip', column: 'ip_range', realm: ANY_REALM }, peers);
  }

  /**
   * Deleted text is overwritten: secrets that are no more are not left in free pages. Only a node that runs a relay loads SQLite.
   */
  async #open(): Promise<DatabaseSync> {
    const sqlite = await import('node:sqlite');
    const database = new sqlite.DatabaseSync(this.#folder.file(RELAY_FILES.database), { timeout: BUSY_MS });
    database.exec('PRAGMA secure_delete = ON');
    return database;
  }
}

interface Column {
  readonly table: 'turn_secret' | 'allowed_peer_ip';
  readonly column: 'value' | 'ip_range';
  readonly realm: string;
}

function putColumn(database: DatabaseSync, { table, column, realm }: Column, wanted: readonly string[]): void {
  const held = database.prepare(`SELECT realm, ${column} AS value FROM ${table}`).all();
  const isWanted = (row: (typeof held)[number]) => row.realm === realm && wanted.includes(String(row.value));
  const gone = held.filter((row) => !isWanted(row));
  const missing = wanted.filter((value) => !held.some((row) => row.realm === realm && row.value === value));
  if (gone.length + missing.length === 0) return;
  database.exec('BEGIN IMMEDIATE');
  const insert = database.prepare(`INSERT OR IGNORE INTO ${table} (realm, ${column}) VALUES (?, ?)`);
  for (const value of missing) insert.run(realm, value);
  const remove = database.prepare(`DELETE FROM ${table} WHERE realm = ? AND ${column} = ?`);
  for (const row of gone) remove.run(row.realm ?? null, row.value ?? null);
  database.exec('COMMIT');
}

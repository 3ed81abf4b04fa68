/** A PostgreSQL server for a suite, and coordinators' stores on it. */
import { after, before, beforeEach, type TestContext } from 'node:test';
import pg from 'pg';
import { type Journal, openStore } from '../src/index.ts';
import type { PostgresOptions } from '../src/postgres/postgres-journal.ts';
import { eventually } from './eventually.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';

/** Where the stores of one test meet. */
export interface Place {
  readonly address: string;
  readonly schema: string;
}

export class Replicas {
  #server: PostgresServer | undefined;
  #address = '';
  #schemas = 0;

  get server(): PostgresServer {
    if (this.#server === undefined) throw new Error('the server runs within the suite only');
    return this.#server;
  }

  /** Called where a suite is described. */
  static described(): Replicas {
    const replicas = new Replicas();
    before(async () => {
      replicas.#server = await startPostgresServer();
      replicas.#address = await replicas.#server.newDatabase();
    });
    // A store that is closed has hung up, and the server notices a bit later: tests count connections of their own only.
    beforeEach(() =>
      eventually('the stores of the test before have gone', async () => (await replicas.#stores()) === 0),
    );
    after(() => replicas.#server?.close());
    return replicas;
  }

  /** How many connections of stores the server has. */
  async #stores(): Promise<number> {
    const client = new pg.Client(this.#address);
    await client.connect();
    try {
      const { rows } = await client.query("SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'meshwork %'");
      return rows.length;
    } finally {
      await client.end();
    }
  }

  newPlace(): Place {
    this.#schemas += 1;
    return { address: this.#address, schema: `mesh_${this.#schemas}` };
  }

  async open(t: TestContext, { address, schema }: Place, options: PostgresOptions = {}): Promise<Journal> {
    const journal = await openStore(address, { postgres: { schema, ...options } });
    t.after(() => journal.close());
    return journal;
  }

  /** A plain connection, to do what no store would. */
  async raw(t: TestContext, { address, schema }: Place): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: address, application_name: 'test' });
    // The server ends it when the server itself is ended.
    client.on('error', () => undefined);
    await client.connect();
    t.after(() => client.end());
    await client.query(`SET search_path TO ${schema}`);
    return client;
  }
}

/** Ends the connections that serve a purpose, as an operator or a failing network would. Returns how many. */
export async function terminate(client: pg.Client, purpose: string): Promise<number> {
  const ended = await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
    [`meshwork ${purpose}`],
  );
  return ended.rowCount ?? 0;
}

/** How many connections of a purpose wait for a lock. */
export async function waiting(client: pg.Client, purpose: string): Promise<number> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_stat_activity
     WHERE application_name = $1 AND datname = current_database() AND wait_event_type = 'Lock'`,
    [`meshwork ${purpose}`],
  );
  return rows.length;
}

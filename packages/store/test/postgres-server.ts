/** A real PostgreSQL server for tests: fresh, alone, reachable over a socket in its own folder, and gone afterwards. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { KeeperReply, KeeperRequest } from './postgres-keeper.ts';

export interface PostgresServer {
  /** The database that every server has; tests better take one of their own. */
  readonly url: string;
  /** The folder of the socket `.s.PGSQL.5432`, for tests that stand between the server and its clients. */
  readonly folder: string;
  /** Creates an empty database and returns its address. */
  newDatabase(): Promise<string>;
  /** Ends the server as an operator does, with every connection. */
  stop(): Promise<void>;
  /** Ends the server at once, with nothing written that was not on disk yet. */
  crash(): Promise<void>;
  /** After `stop` or `crash`, with the same data. */
  start(): Promise<void>;
  /** Ends the server and removes everything it wrote. */
  close(): Promise<void>;
}

export async function startPostgresServer(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'meshwork-postgres-'));
  const keeper = fork(fileURLToPath(new URL('./postgres-keeper.ts', import.meta.url)), [folder], {
    execArgv: [],
    env: { PATH: process.env.PATH, MESH_TEST_RUN: process.env.MESH_TEST_RUN },
  });
  // A test that forgets to close must still be able to end; the keeper then does the rest.
  keeper.unref();
  const ask = async (request: KeeperRequest): Promise<void> => {
    keeper.channel?.ref();
    keeper.send(request);
    const [reply] = (await once(keeper, 'message')) as [KeeperReply];
    keeper.channel?.unref();
    if (reply.failure !== undefined) throw new Error(reply.failure);
  };
  const close = async (): Promise<void> => {
    if (!keeper.connected) return;
    keeper.ref();
    keeper.disconnect();
    await once(keeper, 'exit');
  };
  const address = (database: string) => `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`;
  let databases = 0;
  const newDatabase = async (): Promise<string> => {
    databases += 1;
    const name = `test_${databases}`;
    const client = new pg.Client(address('postgres'));
    await client.connect();
    try {
      await client.query(`CREATE DATABASE ${name}`);
    } finally {
      await client.end();
    }
    return address(name);
  };
  try {
    await ask('start');
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: address('postgres'),
    folder,
    newDatabase,
    stop: () => ask('stop'),
    crash: () => ask('crash'),
    start: () => ask('start'),
    close,
  };
}

import pg from 'pg';
import { StoreError } from '../store-error.ts';
import { withFault } from './postgres-fault.ts';

/** Where the store is, and a listener for trouble that it handles by itself, such as a broken connection. */
export interface Server {
  readonly url: string;
  readonly schema: string;
  readonly warn: (message: string, cause: unknown) => void;
}

/** A coordinator that stalls while it holds the right to write is cut off, so that the others wait this long at most. */
const STALLED_AFTER_MS = 5_000;
/** Waiting for the right to write outlasts one stalled coordinator, and then gives up. */
export const LOCK_WITHIN_MS = 10_000;
/** The server ends a leader's session that is idle for this long, and thereby frees the leadership. */
export const SILENT_LEADER_MS = 15_000;
const CONNECT_WITHIN_MS = 5_000;

interface Session {
  /** When a server that does not answer counts as gone, for networks that drop packets silently. */
  readonly answer_within_ms: number;
  readonly settings: string;
}

/** What each kind of connection is set up with. Its name is what an operator sees in `pg_stat_activity`. */
const SESSIONS = {
  write: {
    answer_within_ms: 2 * LOCK_WITHIN_MS,
    settings: `SET lock_timeout TO ${LOCK_WITHIN_MS}; SET idle_in_transaction_session_timeout TO ${STALLED_AFTER_MS};`,
  },
  read: { answer_within_ms: 60_000, settings: 'SET idle_in_transaction_session_timeout TO 60000;' },
  observe: { answer_within_ms: 2 * LOCK_WITHIN_MS, settings: `SET lock_timeout TO ${LOCK_WITHIN_MS};` },
  listen: { answer_within_ms: 10_000, settings: '' },
  lead: { answer_within_ms: 5_000, settings: `SET idle_session_timeout TO ${SILENT_LEADER_MS};` },
  /** Migrations wait for those of another coordinator however long they take. */
  migrate: { answer_within_ms: 0, settings: '' },
} satisfies Record<string, Session>;

export type Purpose = keyof typeof SESSIONS;

/** Throws when the address makes no sense. Its text stays out of the message: it holds a password. */
export function clientConfig({ url }: Server, purpose: Purpose): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: `meshwork ${purpose}`,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: SESSIONS[purpose].answer_within_ms,
    keepAlive: true,
    types: { getTypeParser },
  };
}

/**
 * Runs once on each new connection. Our statements are short, and compiling one takes longer than running it (`jit`).
 * A server set to answer before its disk does is overruled for our sessions.
 */
export async function prepareSession(client: pg.ClientBase, { schema }: Server, purpose: Purpose): Promise<void> {
  await client.query(`
    SET search_path TO ${pg.escapeIdentifier(schema)};
    SET client_min_messages TO warning; SET jit TO off; ${SESSIONS[purpose].settings}
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`);
}

/** A single connection. It reports its own errors: an error event without a listener would end the process. */
export async function connect(server: Server, purpose: Purpose): Promise<pg.Client> {
  const client = newClient(server, purpose);
  client.on('error', (error) => server.warn(`the connection to ${purpose} broke`, error));
  try {
    await client.connect();
    await prepareSession(client, server, purpose);
    return client;
  } catch (error) {
    await disconnect(client);
    throw withFault(error);
  }
}

/** Closes a connection, by force when the server does not answer within a moment. */
export async function disconnect(client: pg.Client): Promise<void> {
  const hangUp = setTimeout(() => client.connection.stream.destroy(), 1_000);
  await client.end();
  clearTimeout(hangUp);
}

function newClient(server: Server, purpose: Purpose): pg.Client {
  try {
    return new pg.Client(clientConfig(server, purpose));
  } catch (error) {
    throw new StoreError('misuse', 'the address of the PostgreSQL store cannot be understood', { cause: error });
  }
}

/** 64-bit columns are counters and times far below 2^53, and come as numbers. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: unknown) =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Batch, toBatch } from '../batch.ts';
import type { Compose, Revision } from '../journal.ts';
import { linkEntries } from '../link-entries.ts';
import { StoreError } from '../store-error.ts';
import { ask } from './ask.ts';
import { LOCK_WITHIN_MS, type Server } from './connect.ts';
import { channelOf } from './followers.ts';
import { KeptConnection } from './kept-connection.ts';
import { LogHeads } from './log-heads.ts';
import { readNews } from './news.ts';
import { withFault } from './postgres-fault.ts';
import { writeBatch } from './write-batch.ts';

/** A transaction that holds the right to write and has written, and now only has to be committed. */
interface Written {
  readonly client: pg.Client;
  readonly batch: Batch;
  readonly number: number;
  readonly applied: () => void;
}

/**
 * Commits of this process. A lock on the row in `head` is the right to write: its holder sees every commit before its own, and
 * revisions become visible in their order.
 */
export class PostgresWriter {
  /** Names this coordinator among those that write, to find its last commit again. */
  readonly id = randomUUID();
  readonly #server: Server;
  readonly #connection: KeptConnection;
  readonly #settleWithinMs: number;
  readonly #logHeads = new LogHeads();
  #lastNumber = 0;

  constructor(server: Server, settleWithinMs: number) {
    this.#server = server;
    this.#connection = new KeptConnection(server, 'write');
    this.#settleWithinMs = settleWithinMs;
  }

  /** One at a time. */
  async commit(after: Revision, compose: Compose): Promise<Revision> {
    const written = await this.#write(after, compose);
    if (typeof written === 'number') return written;
    await this.#finish(written);
    written.applied();
    return written.batch.revision;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Everything before COMMIT. Whatever fails here has written nothing. Nothing composed: the newest revision. */
  async #write(after: Revision, compose: Compose): Promise<Written | Revision> {
    const client = await this.#connection.use();
    try {
      const head = await takeTurn(client, LOCK_WITHIN_MS);
      const commits = compose(head === after ? undefined : await readNews(client, after));
      if (commits.length === 0) {
        await ask(client, 'ROLLBACK');
        return head;
      }
      const batch = toBatch(head, commits);
      const logs = new Set(batch.appends.map((append) => append.log));
      const { entries, heads } = linkEntries(batch.appends, await this.#logHeads.read(client, logs, head));
      this.#lastNumber += 1;
      const number = this.#lastNumber;
      const channel = channelOf(this.#server);
      await writeBatch(client, { batch, entries, heads, writer: this.id, number, channel });
      return { client, batch, number, applied: () => this.#logHeads.moved(batch.revision, heads) };
    } catch (error) {
      await this.#giveUp(client);
      throw error;
    }
  }

  async #finish({ client, batch, number }: Written): Promise<void> {
    try {
      await client.query('COMMIT');
    } catch (error) {
      this.#drop();
      if (await this.#tookEffect(number, error)) return;
      const known = withFault(error);
      if (known instanceof StoreError) throw known;
      throw new StoreError('unavailable', `revision ${batch.revision} was not committed`, { cause: error });
    }
  }

  /**
   * Asks the store itself about a commit that got no answer. The server may still be at it, so first the right to write
   * has to be free again.
   */
  async #tookEffect(number: number, cause: unknown): Promise<boolean> {
    const deadline = performance.now() + this.#settleWithinMs;
    for (;;) {
      try {
        const client = await this.#connection.use();
        await takeTurn(client, Math.max(1, Math.ceil(deadline - performance.now())));
        const [row] = await ask<{ last_commit: number }>(client, {
          text: 'SELECT last_commit FROM writers WHERE writer = $1',
          values: [this.id],
        });
        await ask(client, 'ROLLBACK');
        return row?.last_commit === number;
      } catch (error) {
        this.#drop();
        if (performance.now() >= deadline) {
          const message = 'the connection broke during a commit, and its outcome could not be found out';
          throw new StoreError('outcome_unknown', message, { cause: new AggregateError([cause, error]) });
        }
        this.#server.warn('looking for the outcome of a commit', error);
        await sleep(250);
      }
    }
  }

  async #giveUp(client: pg.Client): Promise<void> {
    this.#logHeads.forget();
    try {
      await ask(client, 'ROLLBACK');
    } catch (error) {
      this.#server.warn('rolling back failed; the connection is given up', error);
      this.#drop();
    }
  }

  #drop(): void {
    this.#logHeads.forget();
    this.#connection.drop();
  }
}

/** Begins a transaction that holds the right to write, in one round trip. Returns the newest revision. */
async function takeTurn(client: pg.Client, withinMs: number): Promise<Revision> {
  const begin = `BEGIN; SET LOCAL lock_timeout TO ${withinMs}; SELECT revision FROM head FOR UPDATE`;
  try {
    // Several statements at once give a result each, which the types of `pg` do not know.
    const results = (await client.query(begin)) as unknown as readonly pg.QueryResult<{ revision: Revision }>[];
    const head = results.at(-1)?.rows[0];
    if (head === undefined) throw new StoreError('damaged', 'the head row is missing');
    return head.revision;
  } catch (error) {
    throw withFault(error);
  }
}

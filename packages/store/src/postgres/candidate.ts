import type pg from 'pg';
import type { Leadership, LeadershipWatch } from '../journal.ts';
import { ask, askOne } from './ask.ts';
import { connect, disconnect, type Server, SILENT_LEADER_MS } from './connect.ts';
import { pause } from './pause.ts';

const TRY_EVERY_MS = 1_000;
/** A leader whose connection broke lets a healthy candidate go first. */
const STAND_BACK_MS = 3 * TRY_EVERY_MS;
/**
 * How long a leader trusts the last answer of the server. Well under the time after which the server gives the
 * leadership to another, so that a process that was stopped and goes on does not act as a second leader.
 */
const TRUST_MS = SILENT_LEADER_MS - 5_000;

/** One competitor for a name. Leading is holding an advisory lock, which lives and dies with the connection. */
export class Candidate implements Leadership {
  readonly #server: Server;
  readonly #lock: string;
  readonly #watch: LeadershipWatch;
  readonly #stop = new AbortController();
  readonly #stopped: Promise<void>;
  #held = false;
  #confirmedAt = 0;

  constructor(server: Server, name: string, watch: LeadershipWatch) {
    this.#server = server;
    this.#lock = `meshwork lead ${server.schema} ${name}`;
    this.#watch = watch;
    this.#stopped = this.#compete(this.#stop.signal);
  }

  get leading(): boolean {
    return this.#held && performance.now() - this.#confirmedAt < TRUST_MS;
  }

  async release(): Promise<void> {
    this.#held = false;
    this.#stop.abort();
    await this.#stopped;
  }

  /** The store closes: unlike a release, the candidate did not request it. */
  async close(): Promise<void> {
    this.#lose();
    await this.release();
  }

  async #compete(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const led = { lately: false };
      try {
        await this.#useOneConnection(stop, led);
      } catch (error) {
        this.#server.warn('competing for leadership failed; trying again', error);
      }
      await pause(led.lately ? STAND_BACK_MS : TRY_EVERY_MS, stop);
    }
  }

  /** Until the connection ends, or the signal comes. Says in `led` whether a leadership went with it. */
  async #useOneConnection(stop: AbortSignal, led: { lately: boolean }): Promise<void> {
    const client = await connect(this.#server, 'lead');
    const ended = new AbortController();
    // At once: the lock is free, and another may lead before the connection is closed.
    const end = () => {
      if (ended.signal.aborted) return;
      ended.abort();
      led.lately = this.#lose();
    };
    client.on('error', end);
    client.on('end', end);
    const until = AbortSignal.any([stop, ended.signal]);
    try {
      while (!until.aborted) {
        const askedAt = performance.now();
        const holds = this.#held ? await this.#confirm(client) : await this.#tryLock(client);
        this.#confirmedAt = askedAt;
        if (holds && !this.#held && !until.aborted) this.#gain();
        await pause(TRY_EVERY_MS, until);
      }
    } finally {
      end();
      await disconnect(client);
    }
  }

  async #tryLock(client: pg.Client): Promise<boolean> {
    const text = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked';
    return (await askOne<{ locked: boolean }>(client, { text, values: [this.#lock] })).locked;
  }

  /** The lock cannot go before the connection does; asking anything shows that it is still there. */
  async #confirm(client: pg.Client): Promise<true> {
    await ask(client, 'SELECT 1');
    return true;
  }

  #gain(): void {
    this.#held = true;
    this.#watch.gained();
  }

  /** Returns whether there was something to lose. */
  #lose(): boolean {
    const held = this.#held;
    this.#held = false;
    if (held) this.#watch.lost();
    return held;
  }
}

import { MeshError } from '@meshwork/contract';
import { EVENTS_LOG } from '../../mesh/event-entry.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { NewestEvents, type Next } from './newest-events.ts';
import { Subscription } from './subscription.ts';

/** Streams that one token may have open at once (of one coordinator). */
export const STREAMS_PER_TOKEN = 32;

export interface Pace {
  /** Everybody is looked at this often, also when nothing happens. */
  readonly check_ms: number;
  /** No stream is silent for longer. */
  readonly silence_ms: number;
  readonly cut_after_ms: number;
}
const PACE: Pace = { check_ms: 3000, silence_ms: 15_000, cut_after_ms: 1000 };

/**
 * Wakes the streams after each commit, whichever coordinator made it, once the new events were read: one read of the
 * journal, however many streams there are, and none without streams. A stream fetches what it wants next; nothing is
 * buffered for it.
 */
export class EventFeed {
  readonly pace: Pace;
  readonly #mesh: Mesh;
  readonly #failed: (error: unknown) => void;
  readonly #newest: NewestEvents;
  readonly #streams = new Set<Subscription>();
  #timer: NodeJS.Timeout | undefined;
  #stirred = false;
  #closed = false;

  constructor(mesh: Mesh, failed: (error: unknown) => void, pace: Pace = PACE) {
    this.pace = pace;
    this.#mesh = mesh;
    this.#failed = failed;
    this.#newest = new NewestEvents(mesh.journal);
    mesh.model.watch({
      changed: () => undefined,
      settled: () => this.#stir(),
      reset: () => {
        this.#newest.forget();
        this.#stir();
      },
    });
  }

  /** How many there are. */
  get streams(): number {
    return this.#streams.size;
  }

  ensureRoomFor(token: string): void {
    if (this.#closed)
      throw new MeshError('shutting_down', 'This coordinator is going down. Ask another, or come back.');
    let own = 0;
    for (const stream of this.#streams) if (stream.token === token) own += 1;
    if (own < STREAMS_PER_TOKEN) return;
    const detail = `A token may follow the events ${STREAMS_PER_TOKEN} times at once. End a stream first.`;
    throw new MeshError('rate_limited', detail, { retry_after_s: Math.ceil(this.pace.check_ms / 1000) });
  }

  /** A stream that does not count until it begins: one that was only asked about (HEAD) never does. */
  newSubscription(token: string, ensureAllowed: () => void): Subscription {
    return new Subscription({
      token,
      cut_after_ms: this.pace.cut_after_ms,
      ensureAllowed: () => {
        // As at the gate: without an up-to-date model, a token may have been revoked meanwhile.
        this.#mesh.ensureUpToDate();
        ensureAllowed();
      },
    });
  }

  begin(stream: Subscription): void {
    this.#streams.add(stream);
    if (this.#closed) {
      stream.end();
      return;
    }
    this.#timer ??= setInterval(() => this.#turn(), this.pace.check_ms).unref();
    if (this.#streams.size === 1) this.#stir(); // the journal was not read since the last stream ended
  }

  finish(stream: Subscription): void {
    stream.over();
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#newest.forget();
  }

  /** The place of the newest event. */
  async head(): Promise<number> {
    return (await this.#mesh.journal.ends(EVENTS_LOG)).head_seq;
  }

  after(seq: number): Promise<Next> {
    return this.#newest.after(seq);
  }

  /** Ends every stream, so that a shutdown does not wait for any. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const stream of this.#streams) stream.end();
  }

  /** In a turn of its own, once for all commits of a batch. */
  #stir(): void {
    if (this.#streams.size === 0 || this.#closed) return;
    this.#newest.outdate();
    if (this.#stirred) return;
    this.#stirred = true;
    setImmediate(() => {
      this.#stirred = false;
      if (!this.#closed) this.#turn();
    });
  }

  #turn(): void {
    // Before anything new can reach it: a revoked token receives nothing of what came after.
    for (const stream of this.#streams) stream.check();
    const refreshed = () => {
      // Written while it was read. After a failure the timer is soon enough.
      if (this.#newest.outdated) this.#stir();
    };
    void this.#newest
      .refresh()
      .then(refreshed, (error: unknown) => {
        if (!this.#closed) this.#failed(error); // the store may be gone before us
      })
      .finally(() => {
        for (const stream of this.#streams) stream.wake();
      });
  }
}

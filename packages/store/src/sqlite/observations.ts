import type { Observation, ObservationQuery, ObservationRetention } from '../journal.ts';
import { type Removal, removalsOf } from '../observation-query.ts';
import type { ObservationStore } from '../observations.ts';
import type { SqliteOptions } from './database.ts';
import { Thread } from './thread.ts';

/** Observations removed in one transaction, a few milliseconds that an append may have to wait. */
const REMOVAL_CHUNK = 2_000;

/**
 * Observations in a file and a thread of their own, so that no commit waits for their lock, their write-ahead log or
 * their checkpoints. Both exist from when they are first needed: a store without observations pays nothing.
 */
export class SqliteObservations implements ObservationStore {
  readonly #file: string;
  readonly #options: SqliteOptions;
  #thread: Promise<Thread<'observe'>> | undefined;

  /** `store` is the file of the store that they belong to. */
  constructor(store: string, options: SqliteOptions) {
    this.#file = `${store}-observations`;
    this.#options = options;
  }

  async append(slice: readonly Observation[]): Promise<void> {
    const rows = slice.flatMap(({ log, key, at_ms, id, body }) => [log, key, at_ms, id, body]);
    await (await this.#started()).call('append', rows);
  }

  async range(query: ObservationQuery): Promise<readonly Observation[]> {
    const thread = await this.#started();
    let found: readonly Observation[] = [];
    for (let from = query; ; ) {
      const { observations, go_on } = await thread.call('range', from);
      found = found.length === 0 ? observations : [...found, ...observations];
      if (go_on === undefined) return found;
      from = { ...from, ...go_on, limit: query.limit - found.length };
    }
  }

  async prune(log: string, retention: ObservationRetention): Promise<number> {
    const thread = await this.#started();
    const remove = async (removal: Removal) => {
      for (let removed = 0; ; ) {
        const some = await thread.call('removeSome', log, removal, REMOVAL_CHUNK);
        removed += some;
        if (some < REMOVAL_CHUNK) return removed;
      }
    };
    return removalsOf(retention, (most) => thread.call('firstBeyond', log, most), remove);
  }

  async close(): Promise<void> {
    // A thread that could not start has nothing to close, and the call that needed it has failed.
    const [started] = await Promise.allSettled([this.#thread]);
    if (started.status === 'fulfilled') await started.value?.close();
  }

  #started(): Promise<Thread<'observe'>> {
    if (this.#thread === undefined) {
      const starting = Thread.start({ role: 'observe', file: this.#file, options: this.#options });
      this.#thread = starting;
      // The next call tries again: there may be room on the disk by then.
      starting.catch(() => {
        this.#thread = undefined;
      });
    }
    return this.#thread;
  }
}

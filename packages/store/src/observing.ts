import type {
  NewObservation,
  Observation,
  ObservationCounts,
  ObservationQuery,
  ObservationRetention,
} from './journal.ts';
import { ObservationBuffer, type ObservingOptions } from './observation-buffer.ts';
import {
  matchable,
  ObservationIds,
  type ObservationStore,
  requireObservationQuery,
  requireRetention,
} from './observations.ts';
import { isName } from './storable.ts';

/** Observations as the journal offers them, over what a store does to keep them. */
export class Observing {
  readonly #store: ObservationStore;
  readonly #buffer: ObservationBuffer;
  readonly #ids = new ObservationIds();

  constructor(store: ObservationStore, options: ObservingOptions = {}) {
    this.#store = store;
    this.#buffer = new ObservationBuffer((slice) => store.append(slice), options);
  }

  get counts(): ObservationCounts {
    return this.#buffer.counts;
  }

  /** Checked before they share a write with those of others. */
  async observe(observations: readonly NewObservation[]): Promise<void> {
    await this.#buffer.add(observations.map((observation) => this.#ids.identify(observation)));
  }

  async range(query: ObservationQuery): Promise<readonly Observation[]> {
    requireObservationQuery(query);
    const asked = matchable(query);
    return asked === undefined ? [] : this.#store.range(asked);
  }

  async prune(log: string, retention: ObservationRetention): Promise<number> {
    requireRetention(retention);
    return isName(log) ? this.#store.prune(log, retention) : 0;
  }

  /** Writes what is waiting without waiting for more. */
  flush(): void {
    this.#buffer.flush();
  }

  /** After everything that was begun has ended. */
  close(): Promise<void> {
    return this.#store.close();
  }
}

/** Refetches what is on the screen as it becomes stale, at a bounded rate. */
import type { QueryClient } from '@tanstack/react-query';
import { invalidateAreas } from '../api/invalidate.ts';

/** Events of one change arrive together; they are answered together. */
const GATHER_MS = 100;
const LEAST_MS = 1_000;
/** A long list takes long to read: at most a quarter of the time is spent reading. */
const REST = 3;

export class Refresh {
  readonly #queries: QueryClient;
  readonly #touched = new Set<string>();
  #busy = false;

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  /** These areas have changed. Returns at once. */
  touch(areas: readonly string[]): void {
    for (const area of areas) this.#touched.add(area);
    if (this.#busy || this.#touched.size === 0) return;
    this.#busy = true;
    setTimeout(() => void this.#read(), GATHER_MS);
  }

  async #read(): Promise<void> {
    const areas = [...this.#touched];
    this.#touched.clear();
    const started = Date.now();
    await invalidateAreas(this.#queries, areas); // does not reject: each query keeps its own error
    const pause = Math.max(LEAST_MS, REST * (Date.now() - started));
    setTimeout(() => {
      this.#busy = false;
      this.touch([]);
    }, pause);
  }
}

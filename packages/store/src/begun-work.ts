import { StoreError } from './store-error.ts';

/** Counts the calls under way, so that closing can let them finish and refuse those that come later. */
export class BegunWork {
  readonly #underWay = new Set<Promise<unknown>>();
  #closed = false;

  get closed(): boolean {
    return this.#closed;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new StoreError('unavailable', 'the store was closed');
    const promise = work();
    this.#underWay.add(promise);
    try {
      return await promise;
    } finally {
      this.#underWay.delete(promise);
    }
  }

  /** Refuses new work, and resolves when the work under way has ended. Its callers get the outcome. */
  async finish(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#underWay);
  }
}

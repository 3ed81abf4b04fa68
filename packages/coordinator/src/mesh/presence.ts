import type { Journal } from '@meshwork/store';

const FLUSH_MS = 1000;
/** How often the marks of other coordinators are fetched. */
const PULL_MS = 5000;

/**
 * When something was last seen. Kept in memory and flushed in batches, so that a sign of life costs no write of its
 * own; what is lost in a crash is at most the last second.
 */
export class Presence {
  readonly #journal: Journal;
  readonly #failed: (error: unknown) => void;
  readonly #seen = new Map<string, number>();
  #dirty = new Set<string>();
  #stamp = 0;
  #timers: NodeJS.Timeout[] = [];
  #busy: Promise<void> = Promise.resolve();

  constructor(parts: { journal: Journal; failed: (error: unknown) => void }) {
    this.#journal = parts.journal;
    this.#failed = parts.failed;
  }

  async open(): Promise<void> {
    await this.#pull();
    const every = (ms: number, work: () => Promise<void>) => {
      this.#timers.push(setInterval(() => this.#enqueue(work), ms).unref());
    };
    every(FLUSH_MS, () => this.#flush());
    every(PULL_MS, () => this.#pull());
  }

  saw(key: string, now_ms: number): void {
    this.#seen.set(key, now_ms);
    this.#dirty.add(key);
  }

  lastSeen(key: string): number | undefined {
    return this.#seen.get(key);
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#enqueue(() => this.#flush());
    await this.#busy;
  }

  #enqueue(work: () => Promise<void>): void {
    this.#busy = this.#busy.then(work).catch(this.#failed);
  }

  async #flush(): Promise<void> {
    if (this.#dirty.size === 0) return;
    const flushing = this.#dirty;
    this.#dirty = new Set();
    try {
      await this.#journal.mark([...flushing].map((key) => ({ key, at_ms: this.#seen.get(key) ?? 0, body: null })));
    } catch (error) {
      for (const key of flushing) this.#dirty.add(key); // the next flush tries again
      throw error;
    }
  }

  async #pull(): Promise<void> {
    const { stamp, marks } = await this.#journal.marks(this.#stamp);
    this.#stamp = stamp;
    for (const { key, at_ms } of marks) {
      if (at_ms > (this.#seen.get(key) ?? 0)) this.#seen.set(key, at_ms);
    }
  }
}

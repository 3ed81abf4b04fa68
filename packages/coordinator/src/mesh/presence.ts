import type { Journal, Mark } from '@meshwork/store';

const FLUSH_MS = 1000;
/** How often the marks of other coordinators are fetched. */
const PULL_MS = 1000;

/** Who knows more about what is seen than when it was. */
export interface PresenceKeeper {
  /** The mark to keep, with what is known beside the time. Asked when it is written, not when it was made. */
  describe(key: string, at_ms: number): Mark;
  /** Another coordinator, or this one in an earlier life, saw it. */
  learned(mark: Mark): void;
}

interface Seen {
  readonly key: string;
  at_ms: number;
  isDirty: boolean;
}

/**
 * When something was last seen. Kept in memory and flushed in batches, so that a sign of life costs no write of its
 * own; what is lost in a crash is at most the last second.
 */
export class Presence {
  readonly #journal: Journal;
  readonly #failed: (error: unknown) => void;
  readonly #seen = new Map<string, Seen>();
  /** What was seen since the last flush. */
  #dirty: Seen[] = [];
  #stamp = 0;
  #keeper: PresenceKeeper | undefined;
  /** What the store had at the start, until a keeper asks. */
  #loaded: readonly Mark[] = [];
  #timers: NodeJS.Timeout[] = [];
  #busy: Promise<void> = Promise.resolve();

  constructor(parts: { journal: Journal; failed: (error: unknown) => void }) {
    this.#journal = parts.journal;
    this.#failed = parts.failed;
  }

  async open(): Promise<void> {
    this.#loaded = await this.#pull();
    const every = (ms: number, work: () => Promise<unknown>) => {
      this.#timers.push(setInterval(() => this.#enqueue(work), ms).unref());
    };
    every(FLUSH_MS, () => this.#flush());
    if (this.#journal.shared) every(PULL_MS, () => this.#pull());
  }

  /**
   * From now on the keeper learns each mark and describes its own; first it learns those that the store had at the
   * start.
   */
  keepWith(keeper: PresenceKeeper): void {
    this.#keeper = keeper;
    for (const mark of this.#loaded) keeper.learned(mark);
    this.#loaded = [];
  }

  saw(key: string, now_ms: number): void {
    const seen = this.#of(key);
    seen.at_ms = now_ms;
    this.#soil(seen);
  }

  lastSeen(key: string): number | undefined {
    return this.#seen.get(key)?.at_ms;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#enqueue(() => this.#flush());
    await this.#busy;
  }

  #enqueue(work: () => Promise<unknown>): void {
    this.#busy = this.#busy.then(work).then(() => undefined, this.#failed);
  }

  async #flush(): Promise<void> {
    if (this.#dirty.length === 0) return;
    const flushing = this.#dirty;
    this.#dirty = [];
    for (const seen of flushing) seen.isDirty = false;
    try {
      await this.#journal.mark(flushing.map((seen) => this.#mark(seen)));
    } catch (error) {
      for (const seen of flushing) this.#soil(seen); // the next flush tries again
      throw error;
    }
  }

  #of(key: string): Seen {
    let seen = this.#seen.get(key);
    if (seen === undefined) {
      seen = { key, at_ms: 0, isDirty: false };
      this.#seen.set(key, seen);
    }
    return seen;
  }

  #soil(seen: Seen): void {
    if (seen.isDirty) return;
    seen.isDirty = true;
    this.#dirty.push(seen);
  }

  #mark({ key, at_ms }: Seen): Mark {
    return this.#keeper?.describe(key, at_ms) ?? { key, at_ms, count: 0, body: null };
  }

  async #pull(): Promise<readonly Mark[]> {
    const { stamp, marks } = await this.#journal.marks(this.#stamp);
    this.#stamp = stamp;
    const newer = marks.filter(({ key, at_ms }) => at_ms > (this.lastSeen(key) ?? 0));
    for (const mark of newer) {
      this.#of(mark.key).at_ms = mark.at_ms;
      this.#keeper?.learned(mark);
    }
    return newer;
  }
}

/** Ours: another program that changes something this often in this time fights with the agent, rather than having made a change. */
const MANY = 5;
const WITHIN_MS = 10_000;

/** How often each engine had to be put back lately. While two programs fight, what was applied is not in effect. */
export class Contention<K> {
  readonly #times = new Map<K, number[]>();
  readonly #last = new Map<K, string>();

  repaired(key: K, found: string, now_ms: number): void {
    this.#times.set(key, [...this.#recent(key, now_ms), now_ms]);
    this.#last.set(key, found);
  }

  /** Undefined: it is not contested. */
  over(key: K, now_ms: number): string | undefined {
    const times = this.#recent(key, now_ms);
    if (times.length < MANY) return undefined;
    const often = `${times.length} times in the last ${WITHIN_MS / 1000} s`;
    return `another program keeps changing it (${often}): ${this.#last.get(key)}`;
  }

  /** When the clock was set back, what was noted before counts for nothing. */
  #recent(key: K, now_ms: number): number[] {
    const times = this.#times.get(key) ?? [];
    return times.filter((at) => at <= now_ms && now_ms - at < WITHIN_MS).slice(-MAX_KEPT);
  }
}

const MAX_KEPT = 1000;

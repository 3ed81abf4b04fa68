/** So many a second, and so many at once after a rest. Without a timer. */
export class TokenBucket {
  readonly #per_ms: number;
  readonly #most: number;
  #left: number;
  #at_ms = performance.now();

  constructor(per_s: number, most: number) {
    this.#per_ms = per_s / 1000;
    this.#most = most;
    this.#left = most;
  }

  /** False: not now. */
  take(now_ms: number = performance.now()): boolean {
    this.#left = Math.min(this.#most, this.#left + (now_ms - this.#at_ms) * this.#per_ms);
    this.#at_ms = now_ms;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}

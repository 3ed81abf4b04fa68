const EVERY_MS = 50;
const KEPT = 2000;

/** Notes when this machine stood still: then an attempt that fails shows nothing. */
export class StallWatch implements Disposable {
  readonly #gaps: { readonly at_ms: number; readonly gap_ms: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #last_ms = performance.now();

  constructor() {
    this.#timer = setInterval(() => this.#tick(), EVERY_MS);
  }

  #tick(): void {
    const now = performance.now();
    this.#gaps.push({ at_ms: now, gap_ms: now - this.#last_ms - EVERY_MS });
    this.#last_ms = now;
    if (this.#gaps.length > KEPT) this.#gaps.shift();
  }

  /** Also the one that goes on now. */
  longestSince(from_ms: number): number {
    const now_ms = performance.now() - this.#last_ms - EVERY_MS;
    return Math.max(now_ms, ...this.#gaps.filter(({ at_ms }) => at_ms >= from_ms).map(({ gap_ms }) => gap_ms));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

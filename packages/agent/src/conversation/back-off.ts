import { backOff } from '@meshwork/time';

/** Ours: however long the coordinator is away, it hears from a node within this time of its return. */
const LONGEST_PAUSE_MS = 30_000;
/** Ours: a proxy may ask for any time at all, and one that no timer can take would be none. */
const LONGEST_ASKED_S = 300;
/** Full jitter over a third of the interval spreads the first return of a whole fleet, and still leaves no node stale. */
const FIRST_PAUSE_PART = 1 / 3;

/** How long to stay quiet after failures in a row: anywhere from nothing to a limit that doubles each time. */
export class BackOff {
  readonly #random: () => number;
  #failures = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  reset(): void {
    this.#failures = 0;
  }

  /** `asked_s` is a `Retry-After`: never sooner than that, and not all at that same moment. */
  next(interval_s: number, asked_s: number | null): number {
    const first = interval_s * 1000 * FIRST_PAUSE_PART;
    const limit = backOff(first, this.#failures, LONGEST_PAUSE_MS);
    this.#failures += 1;
    if (asked_s !== null) return Math.min(asked_s, LONGEST_ASKED_S) * 1000 + this.#random() * first;
    return this.#random() * limit;
  }
}

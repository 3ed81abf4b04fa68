import { backOff } from '@meshwork/time';

/** Ours: what happens within this time goes out together, so that no burst of changes becomes a burst of heartbeats. */
const SPACING_MS = 100;
/** Ours: results of probes go out at once, beyond that. So many heartbeats more a second, and so many of them in a row. */
const URGENT_EVERY_MS = 50;
const URGENT_BURST = 4;
const FIRST_IDLE_PAUSE_MS = 250;
/** Ours: however long a pause the coordinator asks for, the next heartbeat goes out within this time. */
const LONGEST_ASKED_S = 3600;
/** An answer that took less did not wait for anything. */
const AT_ONCE_MS = 1000;

/** A heartbeat and its answer. */
interface Exchange {
  readonly next_s: number;
  /** Whether either side had anything to say. */
  readonly fruitful: boolean;
  readonly took_ms: number;
}

/** Keeps one agent from calling more often than makes sense, whatever happens on either side. */
export class Pace {
  #lastSent = Number.NEGATIVE_INFINITY;
  #idle = 0;
  /** Of a token bucket: how many urgent heartbeats may leave at once, and when that was computed. */
  #urgent = URGENT_BURST;
  #urgentAt = Number.NEGATIVE_INFINITY;

  /** `urgent`: it did not wait for the spacing. */
  sent(nowMs: number, urgent = false): void {
    if (urgent && this.spacing(nowMs) > 0) {
      this.#urgent = this.#urgentTokens(nowMs) - 1;
      this.#urgentAt = nowMs;
    }
    this.#lastSent = nowMs;
  }

  /** The same for a heartbeat with something that cannot wait. */
  urgentSpacing(nowMs: number): number {
    const missing = Math.max(0, 1 - this.#urgentTokens(nowMs));
    return Math.min(this.spacing(nowMs), missing * URGENT_EVERY_MS);
  }

  #urgentTokens(nowMs: number): number {
    const elapsed = Math.max(0, nowMs - this.#urgentAt); // the clock may have been set back
    return Math.min(URGENT_BURST, this.#urgent + elapsed / URGENT_EVERY_MS);
  }

  /** Milliseconds until the next heartbeat may leave. Never more than the spacing itself: the clock may have been set back. */
  spacing(nowMs: number): number {
    return Math.min(SPACING_MS, Math.max(0, this.#lastSent + SPACING_MS - nowMs));
  }

  /**
   * How long to pause after an answer. A coordinator that keeps answering at once, with nothing to say to a node with nothing to
   * tell, is asked ever less often, up to the interval: it must be mistaken, and an agent that obeyed would never rest.
   */
  afterAnswer({ next_s, fruitful, took_ms }: Exchange, interval_s: number): number {
    this.#idle = fruitful || took_ms >= AT_ONCE_MS ? 0 : this.#idle + 1;
    const idlePause = this.#idle < 2 ? 0 : backOff(FIRST_IDLE_PAUSE_MS, this.#idle - 2, interval_s * 1000);
    return Math.max(Math.min(next_s, LONGEST_ASKED_S) * 1000, idlePause);
  }
}

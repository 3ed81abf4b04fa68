import { type Clock, systemClock } from '@meshwork/time';

const LOOK_MS = 500;
/** A gap longer than this means that the event loop was held up and received no heartbeat meanwhile. */
const HELD_UP_MS = 1500;

/**
 * Time during which the coordinator was able to receive heartbeats. A node is overdue by this time alone: neither a
 * wall clock that jumps nor a coordinator that was stopped, suspended or overloaded makes it so.
 */
export class ListeningTime {
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  #heldUp_ms = 0;
  /** By the machine's own time, whatever clock is injected: it is this process that is held up. */
  #lookedAt = systemClock.monotonic();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  now(): number {
    // A caller that comes before the timer must not see a time that goes back a moment later.
    if (systemClock.monotonic() - this.#lookedAt > HELD_UP_MS) this.#look();
    return this.#clock.monotonic() - this.#heldUp_ms;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = systemClock.monotonic();
    const gap = now - this.#lookedAt;
    this.#lookedAt = now;
    if (gap > HELD_UP_MS) this.#heldUp_ms += gap - LOOK_MS;
  }
}

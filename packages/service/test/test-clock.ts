import type { Clock } from '../src/clock.ts';

/** The real time, as many seconds ahead as a test wants. */
export class TestClock implements Clock {
  #ahead_ms = 0;

  now(): number {
    return Date.now() + this.#ahead_ms;
  }

  monotonic(): number {
    return performance.now() + this.#ahead_ms;
  }

  advance(seconds: number): void {
    this.#ahead_ms += seconds * 1000;
  }
}

import { type Clock, systemClock } from '@meshwork/time';

/** The real time, as many seconds ahead as a test wants. */
export class TestClock implements Clock {
  #ahead_ms = 0;
  #still: { readonly now_ms: number; readonly monotonic_ms: number } | undefined;

  /** One that only the test moves. */
  static still(): TestClock {
    const clock = new TestClock();
    clock.holdStill();
    return clock;
  }

  now(): number {
    return (this.#still?.now_ms ?? systemClock.now()) + this.#ahead_ms;
  }

  monotonic(): number {
    return (this.#still?.monotonic_ms ?? systemClock.monotonic()) + this.#ahead_ms;
  }

  /**
   * From now on only the test moves it, until the result is disposed of. For limits of seconds, which a slow machine would
   * exceed.
   */
  holdStill(): Disposable {
    this.#still = { now_ms: systemClock.now(), monotonic_ms: systemClock.monotonic() };
    return {
      [Symbol.dispose]: () => {
        this.#still = undefined;
      },
    };
  }

  /** By whole milliseconds, as any clock goes. */
  advance(seconds: number): void {
    this.#ahead_ms += Math.round(seconds * 1000);
  }
}

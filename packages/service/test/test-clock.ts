import type { Clock } from '../src/clock.ts';

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
    return (this.#still?.now_ms ?? Date.now()) + this.#ahead_ms;
  }

  monotonic(): number {
    return (this.#still?.monotonic_ms ?? performance.now()) + this.#ahead_ms;
  }

  /**
   * From now on only the test moves it, until what is returned is let go of. For what is over after seconds, or grows by the
   * second: a machine that is slow at that very moment would be past it.
   */
  holdStill(): Disposable {
    this.#still = { now_ms: Date.now(), monotonic_ms: performance.now() };
    return {
      [Symbol.dispose]: () => {
        this.#still = undefined;
      },
    };
  }

  advance(seconds: number): void {
    this.#ahead_ms += seconds * 1000;
  }
}

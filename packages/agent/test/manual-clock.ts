import { setImmediate } from 'node:timers/promises';
import type { SleepingClock } from '@meshwork/time';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Its time moves only when a test says so, and every sleep that is due has ended afterwards. */
export class ManualClock implements SleepingClock {
  #now = Date.parse('2026-11-15T09:30:00Z');
  #sleepers: readonly Sleeper[] = [];

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { at: this.#now + ms, wake: resolve };
    this.#sleepers = [...this.#sleepers, sleeper];
    signal.addEventListener('abort', () => {
      this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
      reject(signal.reason);
    });
    return promise;
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    const due = this.#sleepers.filter(({ at }) => at <= this.#now);
    this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#now);
    for (const { wake } of due) wake();
    await setImmediate();
  }

  /** How many wait for their time. */
  get waiting(): number {
    return this.#sleepers.length;
  }
}

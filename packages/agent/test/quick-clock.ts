import { setImmediate } from 'node:timers/promises';
import type { SleepingClock } from '@meshwork/time';

/** Sleeps no longer than a turn of the loop, and keeps how long it should have been. Its time moves by sleeping only. */
export class QuickClock implements SleepingClock {
  readonly pauses: number[] = [];
  #now = Date.now();

  now(): number {
    return this.#now;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    this.pauses.push(ms);
    await setImmediate();
    signal.throwIfAborted();
    this.#now += ms;
  }

  pass(ms: number): void {
    this.#now += ms;
  }
}

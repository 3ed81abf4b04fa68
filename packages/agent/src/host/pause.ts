import type { SleepingClock } from '@meshwork/time';
import { type Wake, WOKEN } from './wake.ts';

/** Ends early when the bell rings, and without an error when the signal aborts: callers check the signal anyway. */
export async function pause(clock: SleepingClock, ms: number, signal: AbortSignal, bell?: Wake): Promise<void> {
  if (ms <= 0) return;
  const early = new AbortController();
  const slept = clock.sleep(ms, AbortSignal.any([signal, early.signal])).catch(() => undefined);
  if (bell === undefined) await slept;
  else if ((await bell.race(slept)) === WOKEN) early.abort();
}

/** Injected wherever time matters, so that tests can move it. */
export interface Clock {
  /** Wall time, for what people read and for deadlines that outlive the process. */
  now(): number;
  /**
   * Never jumps; for waits and deadlines within the process. Whole milliseconds, so that sums and differences are exact and
   * a deadline is met at its very moment. How long something took is measured by `performance.now()`, which is finer.
   */
  monotonic(): number;
}

/** For programs that wait by themselves rather than for a scheduler. */
export interface SleepingClock extends Pick<Clock, 'now'> {
  /** Rejects with the reason of `signal` when that comes first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock & SleepingClock = {
  now: () => Date.now(),
  monotonic: () => Math.floor(performance.now()),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal.addEventListener('abort', stop, { once: true });
    }),
};

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

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => Math.floor(performance.now()) };

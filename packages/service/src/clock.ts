/** Injected wherever time matters, so that tests can move it. */
export interface Clock {
  /** Wall time, for what people read and for deadlines that outlive the process. */
  now(): number;
  /** Never jumps; for measuring how long something took. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

import type { TestClock } from '@meshwork/service/testing';

/**
 * From now on the clock moves only when the test moves it. For what is over after seconds: otherwise a machine that is slow
 * at that very moment would be past it.
 */
export function holdStill(clock: TestClock): TestClock {
  let [now_ms, monotonic_ms] = [clock.now(), clock.monotonic()];
  return Object.assign(clock, {
    now: () => now_ms,
    monotonic: () => monotonic_ms,
    advance: (seconds: number) => {
      now_ms += seconds * 1000;
      monotonic_ms += seconds * 1000;
    },
  });
}

/** Doubling more often than this changes nothing: the longest pause is reached long before. */
const MOST_DOUBLINGS = 30;

/** Exponential back-off: the pause doubles with each failure, up to the longest. Jitter is the caller's to add. */
export function backOff(first_ms: number, failures_before: number, longest_ms: number): number {
  return Math.min(first_ms * 2 ** Math.min(failures_before, MOST_DOUBLINGS), longest_ms);
}

const LOOK_MS = 50;
const MOST_LOOK_MS = 500;

/**
 * Waits for what comes about by itself, on a busy machine too. Rejects in the words of `missing` when it does not. Looking takes a
 * fifth of the time at most, where it takes long: what is waited for needs the processor.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  missing: () => string,
  timeout_ms = 60_000,
): Promise<void> {
  const deadline = performance.now() + timeout_ms;
  for (let looked_at = performance.now(); !(await isSo()); looked_at = performance.now()) {
    if (performance.now() > deadline) throw new Error(`not within ${timeout_ms / 1000} s: ${missing()}`);
    const took_ms = performance.now() - looked_at;
    const pause_ms = Math.min(Math.max(LOOK_MS, 4 * took_ms), MOST_LOOK_MS);
    await new Promise((resolve) => setTimeout(resolve, pause_ms));
  }
}

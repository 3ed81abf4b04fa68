const LOOK_MS = 50;

/** Waits for what comes about by itself, on a busy machine too. Rejects in the words of `missing` when it does not. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  missing: () => string,
  timeout_ms = 60_000,
): Promise<void> {
  const deadline = performance.now() + timeout_ms;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not within ${timeout_ms / 1000} s: ${missing()}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

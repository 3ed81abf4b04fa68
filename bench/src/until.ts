const LOOK_MS = 50;

/** Waits for a condition. Rejects with `missing` when it does not come true. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  missing: string,
  timeout_ms = 60_000,
): Promise<void> {
  const deadline = performance.now() + timeout_ms;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not within ${timeout_ms / 1000} s: ${missing}`);
    await pause(LOOK_MS);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

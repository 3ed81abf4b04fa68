const LOOK_MS = 25;
/** Ours: many times what any step takes. Only a wait that never succeeds reaches it. */
const PATIENCE_MS = 30_000;

/** Waits until `look` returns something, and returns that. Undefined, null and false: not yet. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | null | false> | T | undefined | null | false,
): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`It did not come about: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

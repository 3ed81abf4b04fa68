import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for something that has to happen, and fails with its name when it does not. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`);
    await sleep(10);
  }
}

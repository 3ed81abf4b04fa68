import { ApiError } from '@meshwork/client';
import { panel } from './clients.ts';
import { noteReachability } from './reachability.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

/** Resolves when panel and coordinator answer again: true; or when the signal aborts: false. */
export async function waitForReturn(signal: AbortSignal): Promise<boolean> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (signal.aborted) return false;
    try {
      await panel.call('meta.ready', { signal, retry: false });
      noteReachability('there');
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      // Unready is an answer too: the panel is back, and says what it still misses.
      if (error instanceof ApiError && error.body !== undefined) noteReachability('coordinator_away');
    }
  }
}

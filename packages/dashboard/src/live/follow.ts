/** Follows the coordinator's event stream until its signal aborts. */
import { ApiError, createClient } from '@meshwork/client';
import type { EventRecord } from '@meshwork/contract';
import { coordinatorFetch } from '../api/panel-fetch.ts';

export type LiveState = 'live' | 'connecting' | 'away';

interface Follower {
  readonly signal: AbortSignal;
  /** Only what came after this. Undefined: from now on. */
  readonly after: number | undefined;
  readonly state: (state: LiveState) => void;
  readonly received: (event: EventRecord) => void;
  /** Events were missed for good, or may have been: nothing that was read before can be relied on. */
  readonly missed: () => void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/** Ends when its signal does, or when the coordinator says that it is no use. */
export async function follow(follower: Follower): Promise<void> {
  const { signal } = follower;
  let { after } = follower;
  let pause = FIRST_PAUSE_MS;
  /** Whether the stream resumes where it was. One that begins now lacks the events since the page was read. */
  let goesOn = false;
  // The client reports events only: the stream is open once its response has begun.
  const client = createClient({
    url: location.origin,
    fetch: async (input, init) => {
      const response = await coordinatorFetch(input, init);
      if (response.ok) {
        pause = FIRST_PAUSE_MS;
        follower.state('live');
        if (!goesOn) follower.missed();
        goesOn = true;
      }
      return response;
    },
    retry: { attempts: 3, base_ms: 500, max_ms: LONGEST_PAUSE_MS },
  });
  while (!signal.aborted) {
    goesOn = after !== undefined;
    try {
      const broke = (error: unknown) => follower.state(error === undefined ? 'connecting' : 'away');
      for await (const event of client.events(after === undefined ? {} : { after }, { signal, broke })) {
        if (event.type === 'reset') follower.missed();
        else {
          after = event.seq;
          follower.received(event);
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      follower.state('away');
      if (error instanceof ApiError && !error.retryable && error.problem !== null) return;
    }
    await waitFor(pause, signal);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

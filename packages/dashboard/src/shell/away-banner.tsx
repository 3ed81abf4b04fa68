import { Alert } from '@mantine/core';
import { ApiError } from '@meshwork/client';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { panel } from '../api/clients.ts';
import { noteReachability, useReachability } from '../api/reachability.ts';

const WORDS = {
  coordinator_away: {
    title: 'Coordinator unreachable',
    text: 'You see the last known state, and changes are not possible. Nodes keep running with their current configuration.',
  },
  panel_away: {
    title: 'Panel unreachable',
    text: 'You see the last known state. The mesh itself keeps running.',
  },
} as const;

/** Shown while the coordinator or the panel is unreachable. Refetches everything afterwards. */
export function AwayBanner() {
  const queries = useQueryClient();
  const reachability = useReachability();
  const away = reachability !== 'there';
  useEffect(() => {
    if (!away) return undefined;
    const ending = new AbortController();
    void waitForReturn(ending.signal).then((back) => (back ? queries.invalidateQueries() : undefined));
    return () => ending.abort();
  }, [away, queries]);
  if (reachability === 'there') return null;
  const { title, text } = WORDS[reachability];
  return (
    <Alert color="red" variant="light" icon={<IconPlugConnectedX aria-hidden />} title={title} role="status" mb="md">
      {text} Reconnecting automatically.
    </Alert>
  );
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

/** Resolves when panel and coordinator answer again: true; or when the signal aborts: false. */
async function waitForReturn(signal: AbortSignal): Promise<boolean> {
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

import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useReachability } from '../api/reachability.ts';
import { waitForReturn } from '../api/wait-for-return.ts';

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

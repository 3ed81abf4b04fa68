import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useReachability } from '../api/reachability.ts';
import { waitForReturn } from '../api/wait-for-return.ts';

const WORDS = {
  coordinator_away: {
    title: 'The coordinator does not answer',
    text: 'What you see is as it was last read, and changes are refused. Nodes go on with what they have.',
  },
  panel_away: {
    title: 'The panel does not answer',
    text: 'What you see is as it was last read. The mesh itself needs no panel.',
  },
} as const;

/** Says that somebody does not answer, for as long as it is so: it goes by itself, and everything is read anew. */
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
      {text} This notice goes by itself when it is back.
    </Alert>
  );
}

/**
 * Keeps the page up to date: follows the event stream, and refetches what an event makes stale. A hidden page closes its
 * connection, because a browser has few of them, and continues where it stopped.
 */

import { useDebouncedValue, useDocumentVisibility } from '@mantine/hooks';
import type { EventRecord } from '@meshwork/contract';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { staleAreas } from '../feature/event-words.ts';
import { useFeatures } from '../feature/feature-list.ts';
import { useMay } from '../session/session.tsx';
import { EventLog } from './event-log.ts';
import { follow, type LiveState } from './follow.ts';
import { Refresh } from './refresh.ts';

interface LiveContextValue {
  readonly state: LiveState;
  readonly log: EventLog;
}

const LiveContext = createContext<LiveContextValue | null>(null);
const UNSEEN_MS = 10_000;

export function Live({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const features = useFeatures();
  const permitted = useMay()('events:read');
  const seen = useDocumentVisibility() !== 'hidden';
  const [seenLately] = useDebouncedValue(seen, UNSEEN_MS);
  const wanted = permitted && (seen || seenLately);
  const [log] = useState(() => new EventLog());
  const [refresh] = useState(() => new Refresh(queries));
  const [state, setState] = useState<LiveState>('connecting');
  const last_seq = useRef<number>(undefined);

  useEffect(() => {
    if (!wanted) return undefined;
    const ending = new AbortController();
    setState('connecting');
    void follow({
      signal: ending.signal,
      after: last_seq.current,
      state: setState,
      received: (event) => {
        last_seq.current = event.seq;
        log.add(event);
        refresh.touch(staleAreas(features, event.type));
      },
      missed: () => void queries.invalidateQueries(),
    });
    return () => ending.abort();
  }, [wanted, log, refresh, queries, features]);

  return <LiveContext value={{ state, log }}>{children}</LiveContext>;
}

function useLive(): LiveContextValue {
  const live = use(LiveContext);
  if (live === null) throw new Error('useEvents or useLiveState outside of Live');
  return live;
}

/** What happened since the page was opened, newest first: at most the last 500 events. */
export function useEvents(): readonly EventRecord[] {
  const { log } = useLive();
  return useSyncExternalStore(
    (listener) => log.subscribe(listener),
    () => log.newestFirst,
  );
}

/** Whether what is shown is kept true right now. Who may not follow events is always `connecting`. */
export function useLiveState(): LiveState {
  return useLive().state;
}

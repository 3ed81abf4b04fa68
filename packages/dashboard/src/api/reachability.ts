/** Whether the panel and the coordinator behind it answer, as the last requests found them. */
import { useSyncExternalStore } from 'react';

type Reachability = 'there' | 'coordinator_away' | 'panel_away';

let current: Reachability = 'there';
const listeners = new Set<() => void>();

export function noteReachability(found: Reachability): void {
  if (found === current) return;
  current = found;
  for (const listener of listeners) listener();
}

/** The panel answered by itself, which says nothing about the coordinator. */
export function notePanelAnswer(): void {
  if (current === 'panel_away') noteReachability('there');
}

export function useReachability(): Reachability {
  return useSyncExternalStore(subscribe, () => current);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

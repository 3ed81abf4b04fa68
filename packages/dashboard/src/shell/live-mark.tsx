import { type Icon, IconPlugConnected, IconPlugConnectedX, IconRefreshDot } from '@tabler/icons-react';
import type { LiveState } from '../live/follow.ts';
import { useLiveState } from '../live/live.tsx';
import { useMay } from '../session/session.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';

const LOOKS: Readonly<
  Record<LiveState, { readonly tone: Tone; readonly icon: Icon; readonly word: string; readonly title: string }>
> = {
  live: { tone: 'good', icon: IconPlugConnected, word: 'Live', title: 'Changes appear as they happen' },
  connecting: { tone: 'off', icon: IconRefreshDot, word: 'Connecting', title: 'Connecting to the event stream' },
  away: {
    tone: 'bad',
    icon: IconPlugConnectedX,
    word: 'Not live',
    title: 'The event stream is disconnected; what you see may be outdated',
  },
};

/** Whether the page is kept up to date. Hidden without permission to follow events. */
export function LiveMark() {
  const state = useLiveState();
  if (!useMay()('events:read')) return null;
  return (
    <span role="status" style={{ display: 'inline-flex' }}>
      <Badge {...LOOKS[state]} />
    </span>
  );
}

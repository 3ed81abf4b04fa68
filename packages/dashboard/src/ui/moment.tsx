import { useSyncExternalStore } from 'react';
import { agoText, sharedNow, subscribeToTime } from './ago.ts';

interface MomentProps {
  readonly at: string;
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** "4 min ago", kept up to date. Only text that changes is rendered again. */
export function Ago({ at }: MomentProps) {
  const text = useSyncExternalStore(subscribeToTime, () => agoText(at, sharedNow()));
  return (
    <time dateTime={at} title={`${exact.format(new Date(at))} (${at})`} style={{ whiteSpace: 'nowrap' }}>
      {text}
    </time>
  );
}

/** The exact time, where the reader is. */
export function Moment({ at }: MomentProps) {
  return (
    <time dateTime={at} title={at}>
      {exact.format(new Date(at))}
    </time>
  );
}

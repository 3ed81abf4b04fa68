import { useLiveState } from '../../api/live.tsx';

const WORDS = {
  live: 'Live: what happens shows here as it happens, the newest first. The last 500 since this page was opened are kept.',
  connecting: 'Connecting to the stream of events.',
  away: 'Not live: the stream is broken. What happens meanwhile is caught up with once it is back.',
} as const;

/** Whether the list is kept true right now. The header has the same as a mark, which also tells screen readers of a change. */
export function LiveWords() {
  return WORDS[useLiveState()];
}

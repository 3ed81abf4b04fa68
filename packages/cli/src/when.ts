import { fromNow } from './duration.ts';

/** A moment for people: exactly, and how far off. */
export function when(timestamp: string): string {
  return `${timestamp} (${fromNow(timestamp, Date.now())})`;
}

/** Only how far off, where there is little room. */
export function ago(timestamp: string | null): string {
  return timestamp === null ? 'never' : fromNow(timestamp, Date.now());
}

import type { View } from './model.ts';

/** No session at an ingress is longer: see `session_s`. */
export const LONGEST_ENTRY_MS = 24 * 3600 * 1000;
/** Ours: beyond so many, all who signed in before the oldest of the others do so again. */
const MAX_ENDS = 200;

interface EntryEnds {
  readonly not_before_ms: number;
  readonly ended: { readonly person: string; readonly at_ms: number }[];
}

/** Whose passes are over, as gateways are sent it. */
export function entryEnds(view: View): EntryEnds {
  const newest = Array.from(view.all('entry_end'), ({ id, body }) => ({ person: id, at_ms: body.at_ms })).sort(
    (one, other) => other.at_ms - one.at_ms,
  );
  const ended = newest.slice(0, MAX_ENDS).sort((one, other) => (one.person < other.person ? -1 : 1));
  return { not_before_ms: newest[MAX_ENDS]?.at_ms ?? 0, ended };
}

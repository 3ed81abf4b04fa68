/** When a person was last seen, and where they signed in from. Apart from the person, whose version it must not change. */
import { utc } from '@meshwork/contract';
import { ACTIVITY, type View } from './documents.ts';
import type { Transaction } from './transaction.ts';

/** More places than a person plausibly signs in from. */
const MAX_PREFIXES = 20;

/** Null: the person never signed in. */
export function lastSeenAt(view: View, user: string): string | null {
  return view.get(ACTIVITY, user)?.body.last_seen_at ?? null;
}

/** Where the person signed in from before: hashes of address prefixes, the newest first. */
export function knownPrefixesOf(view: View, user: string): readonly string[] {
  return view.get(ACTIVITY, user)?.body.households ?? [];
}

/** `prefix`: where the person just signed in from. Absent: they used a session. */
export function noteActivity(tx: Transaction, user: string, prefix?: string): void {
  const known = knownPrefixesOf(tx, user);
  const others = known.filter((other) => other !== prefix);
  const households = prefix === undefined ? known : [prefix, ...others].slice(0, MAX_PREFIXES);
  tx.put(ACTIVITY, user, { last_seen_at: utc(tx.now_ms), households });
}

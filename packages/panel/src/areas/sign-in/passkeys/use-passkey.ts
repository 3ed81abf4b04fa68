import { utc } from '@meshwork/contract';
import type { Transaction } from '../../../ledger/transaction.ts';
import { CLOCK_SKEW_MS } from './sign-in-challenges.ts';
import type { ProvenPasskey } from './verify-passkey.ts';

/**
 * Takes what a passkey proved, once. False: it counts for nothing, because the passkey is gone, the person may not sign in, or
 * the passkey has answered this challenge or a later one. The last makes every challenge good once, without keeping any of them.
 */
export function usePasskey(tx: Transaction, proven: ProvenPasskey): boolean {
  const user = tx.get('user', proven.user)?.body;
  const passkey = user?.passkeys.find(({ id }) => id === proven.passkey);
  if (user?.state !== 'active' || passkey === undefined) return false;
  const last_ms = passkey.last_challenge_ms;
  // A time in the future comes from a clock that has been corrected: no challenge of that time is accepted any more.
  if (proven.issued_ms <= last_ms && last_ms <= tx.now_ms + CLOCK_SKEW_MS) return false;
  // Once more, now that nothing can come between: of two copies of a passkey that count, one is behind the other.
  if ((proven.counter > 0 || passkey.counter > 0) && proven.counter <= passkey.counter) return false;
  const { counter, issued_ms: last_challenge_ms } = proven;
  const used = { ...passkey, counter, last_challenge_ms, last_used_at: utc(tx.now_ms) };
  const passkeys = user.passkeys.map((other) => (other.id === used.id ? used : other));
  tx.put('user', proven.user, { ...user, passkeys });
  return true;
}

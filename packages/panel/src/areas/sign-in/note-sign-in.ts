import { utc } from '@meshwork/contract';
import type { Stored } from '../../ledger/documents.ts';
import type { Transaction } from '../../ledger/transaction.ts';
import { prefixHash } from './attempts.ts';

/** As many places as somebody plausibly signs in from. */
const MAX_PREFIXES = 20;

/** Remembers when somebody signed in, and that they are at home there. */
export function noteSignIn(tx: Transaction, { id, body }: Stored<'user'>, address: string): void {
  const prefix = prefixHash(body.name, address);
  const others = tx.get('sighting', id)?.body.households.filter((other) => other !== prefix) ?? [];
  tx.put('sighting', id, {
    last_seen_at: utc(tx.now_ms),
    households: [prefix, ...others].slice(0, MAX_PREFIXES),
  });
}

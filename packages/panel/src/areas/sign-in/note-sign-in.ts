import { utc } from '@meshwork/contract';
import type { Stored } from '../../ledger/documents.ts';
import type { Transaction } from '../../ledger/transaction.ts';
import { householdHash } from './attempts.ts';

/** As many places as somebody plausibly signs in from. */
const MAX_HOUSEHOLDS = 20;

/** Remembers when somebody signed in, and that they are at home there. */
export function noteSignIn(tx: Transaction, { id, body }: Stored<'user'>, address: string): void {
  const household = householdHash(body.name, address);
  const others = tx.get('sighting', id)?.body.households.filter((other) => other !== household) ?? [];
  tx.put('sighting', id, {
    last_seen_at: utc(tx.now_ms),
    households: [household, ...others].slice(0, MAX_HOUSEHOLDS),
  });
}

import { type UserId, utc } from '@meshwork/contract';
import type { Stored } from '../ledger/documents.ts';
import type { Transaction } from '../ledger/transaction.ts';

/** The first may be under way. What comes behind it is carried out after now, and ends sessions at ingresses too. */
const ENOUGH = 2;

/**
 * Has the sessions of a person at ingresses end, and nothing else: they signed out everywhere, or are in fewer groups. A retirement of the
 * same commit ends them as well.
 */
export function endEntries(tx: Transaction, user: Stored<'user'>): void {
  const id = retirementId(tx, user);
  const pending = [...tx.all('retirement')].filter(({ body }) => body.person.id === user.id);
  if (pending.length >= ENOUGH || tx.get('retirement', id) !== undefined) return;
  const { actor: by, address } = tx.cause;
  const { name, role, scope } = user.body;
  const person = { id: user.id as UserId, name };
  tx.put('retirement', id, { person, by, address, limit: { role, scope }, keep_tokens: true, at: utc(tx.now_ms) });
}

/** One for a person in a commit, in the order of commits. */
export function retirementId(tx: Transaction, user: Stored<'user'>): string {
  return `${String(tx.revision).padStart(15, '0')}.${user.id}`;
}

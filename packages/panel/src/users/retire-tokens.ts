import { type ActorRef, type UserId, utc } from '@meshwork/contract';
import type { RetirementDocument, Stored, View } from '../ledger/documents.ts';
import type { Transaction } from '../ledger/transaction.ts';

interface Decided {
  readonly by: ActorRef;
  readonly address: string | null;
  readonly limit: RetirementDocument['limit'];
}

/**
 * Records, in the commit that changes a person, that the coordinator has to end tokens that they may no longer have.
 * `coordinator/retirements.ts` carries it out, also after a restart.
 */
export function retireTokens(tx: Transaction, user: Stored<'user'>, { by, address, limit }: Decided): void {
  const person = { id: user.id as UserId, name: user.body.name };
  tx.put('retirement', retirementId(tx, user), { person, by, address, limit, at: utc(tx.now_ms) });
}

/**
 * Has their sessions at ingresses end alone: they signed out everywhere, or are in fewer groups. Nothing is added to a retirement of the
 * same commit, which ends these too.
 */
export function endEntries(tx: Transaction, user: Stored<'user'>): void {
  const id = retirementId(tx, user);
  if (tx.get('retirement', id) !== undefined) return;
  const { actor: by, address } = tx.cause;
  const { name, role, scope } = user.body;
  const person = { id: user.id as UserId, name };
  tx.put('retirement', id, { person, by, address, limit: { role, scope }, keep_tokens: true, at: utc(tx.now_ms) });
}

function retirementId(tx: Transaction, user: Stored<'user'>): string {
  return `${String(tx.revision).padStart(15, '0')}.${user.id}`;
}

/** What is still to be carried out for a person, in order. */
export function pendingFor(view: View, user: string): readonly Stored<'retirement'>[] {
  return inOrder(view).filter(({ body }) => body.person.id === user);
}

export function inOrder(view: View): readonly Stored<'retirement'>[] {
  return [...view.all('retirement')].sort((a, b) => (a.id < b.id ? -1 : 1));
}

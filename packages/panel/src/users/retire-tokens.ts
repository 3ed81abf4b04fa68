import { type ActorRef, type UserId, utc } from '@meshwork/contract';
import type { RetirementDocument, Stored, View } from '../ledger/documents.ts';
import type { Transaction } from '../ledger/transaction.ts';
import { retirementId } from '../sessions/end-entries.ts';

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

/** What is still to be carried out for a person, in order. */
export function pendingFor(view: View, user: string): readonly Stored<'retirement'>[] {
  return inOrder(view).filter(({ body }) => body.person.id === user);
}

export function inOrder(view: View): readonly Stored<'retirement'>[] {
  return [...view.all('retirement')].sort((a, b) => (a.id < b.id ? -1 : 1));
}

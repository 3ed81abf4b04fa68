import { MeshError } from '@meshwork/contract';
import type { Person } from '../../callers/caller.ts';
import type { Stored } from '../../ledger/documents.ts';
import type { Transaction } from '../../ledger/transaction.ts';

/** The person and the session as they are now, in a transaction: both may have ended since the gate. */
export function ownAccount(tx: Transaction, person: Person): { user: Stored<'user'>; session: Stored<'session'> } {
  const user = tx.get('user', person.id);
  const session = tx.get('session', person.session.id);
  if (user?.body.state !== 'active' || session === undefined) {
    throw new MeshError('sign_in_required', 'Your session has ended. Sign in again.');
  }
  return { user, session };
}

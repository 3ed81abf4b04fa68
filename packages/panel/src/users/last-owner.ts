import { isWholeMesh, MeshError } from '@meshwork/contract';
import type { Stored, UserDocument } from '../ledger/documents.ts';
import type { Transaction } from '../ledger/transaction.ts';

/**
 * Refuses a change that would leave no owner of the whole mesh. Runs inside the transaction of the change, so that of two owners
 * who demote each other at once, one remains. `after` is null when the person is removed.
 */
export function ensureOwnerRemains(tx: Transaction, before: Stored<'user'>, after: UserDocument | null): void {
  if (!isOwner(before.body) || (after !== null && isOwner(after))) return;
  for (const { id, body } of tx.all('user')) if (id !== before.id && isOwner(body)) return;
  throw new MeshError('last_owner', `${before.body.name} is the last owner of the whole mesh who can sign in.`);
}

function isOwner({ role, scope, state }: UserDocument): boolean {
  return role === 'owner' && state === 'active' && isWholeMesh(scope);
}

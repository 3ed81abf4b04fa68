import { MeshError, type UserId } from '@meshwork/contract';
import { callerOf } from '../../callers/caller.ts';
import { ensureNoStronger, ensureUnchanged, ensureVisible, permissionsOfRoles } from '../../callers/rights.ts';
import type { Stored } from '../../ledger/documents.ts';
import type { Transaction } from '../../ledger/transaction.ts';
import type { Call } from '../handler.ts';
import type { PanelParts } from '../parts.ts';

type UserOperation = 'users.update' | 'users.remove' | 'users.invite_again';

/** Changes the person that a request names, if the caller has at least their permissions and their scope. */
export async function transactOnUser<I extends UserOperation, T>(
  { ledger, access }: PanelParts,
  call: Call<I>,
  change: (tx: Transaction, user: Stored<'user'> & { readonly id: UserId }) => T,
): Promise<T> {
  const person = callerOf(call);
  const { id } = call.params as { readonly id: string };
  const { role } = ensureVisible(person, ledger.get('user', id)).body;
  const roles = await permissionsOfRoles(access, [role]);
  return ledger.transact(call.cause, (tx) => {
    ensureUnchanged(tx, person);
    const user = ensureVisible(person, tx.get('user', id));
    ensureNoStronger(person, user.body.role, user.body.scope, roles);
    if (call.if_match !== undefined && call.if_match !== user.revision) {
      throw new MeshError(
        'revision_mismatch',
        `${user.body.name} has changed since: the current revision is ${user.revision}.`,
      );
    }
    return change(tx, user as Stored<'user'> & { readonly id: UserId });
  });
}

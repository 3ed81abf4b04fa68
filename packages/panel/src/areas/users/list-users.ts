import { covers, type User } from '@meshwork/contract';
import { pageById } from '@meshwork/service';
import { callerOf } from '../../callers/caller.ts';
import type { Stored } from '../../ledger/documents.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { userRecord } from '../../users/user-record.ts';
import type { Call } from '../handler.ts';

export function listUsers(ledger: Ledger, call: Call<'users.list'>): { items: User[]; next_cursor: string | null } {
  const { scope } = callerOf(call);
  const { state, role, q, ...page } = call.query;
  const isWanted = ({ body }: Stored<'user'>) =>
    covers(scope, body.scope) &&
    (state === undefined || body.state === state) &&
    (role === undefined || body.role === role) &&
    (q === undefined || `${body.name}\n${body.display_name}`.toLowerCase().includes(q.toLowerCase()));
  return pageById('users', page, {
    walk: (after) => ledger.after('user', after),
    keep: isWanted,
    show: (user) => userRecord(ledger, user),
  });
}

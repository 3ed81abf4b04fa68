import { covers, type User } from '@meshwork/contract';
import { callerOf } from '../../callers/caller.ts';
import type { UserDocument } from '../../ledger/documents.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { userRecord } from '../../users/user-record.ts';
import type { Call } from '../handler.ts';
import { pageById } from '../pages.ts';

export function listUsers(ledger: Ledger, call: Call<'users.list'>): { items: User[]; next_cursor: string | null } {
  const { scope } = callerOf(call);
  const { state, role, q, ...page } = call.query;
  const isWanted = ({ body }: { readonly body: UserDocument }) =>
    covers(scope, body.scope) &&
    (state === undefined || body.state === state) &&
    (role === undefined || body.role === role) &&
    (q === undefined || `${body.name}\n${body.display_name}`.toLowerCase().includes(q.toLowerCase()));
  const found = [...ledger.all('user')].filter(isWanted);
  return pageById('users', page, { found, order: 'oldest_first', show: (user) => userRecord(ledger, user) });
}

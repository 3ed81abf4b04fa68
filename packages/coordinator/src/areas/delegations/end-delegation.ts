import { MeshError, utc } from '@meshwork/contract';
import { actsForPerson, tokenState, works } from '../../access/token-state.ts';
import type { Stored, View } from '../../mesh/model.ts';
import type { Call, Reply } from '../handler.ts';

/** Ends a token of a person who signed out. One that is over already stays as it ended: that is what was wanted. */
export function endDelegation(call: Call<'delegations.end'>): Promise<Reply<'delegations.end'>> {
  return call.transact((tx) => {
    const { id, body } = findDelegation(tx, call.params.id);
    if (works(tokenState(body, tx.now_ms))) {
      tx.put('token', id, { ...body, revoked_at: utc(tx.now_ms) });
      const target = { kind: 'person', id: body.on_behalf_of?.id ?? '' };
      tx.record({ target, scope: body.scope, detail: `ended ${id}` });
    }
    return { body: undefined };
  });
}

/** Any other token is not found: the panel may end only those that it made for people. */
function findDelegation(view: View, id: string): Stored<'token'> {
  const token = view.get('token', id);
  if (token === undefined || !actsForPerson(token.body)) {
    throw new MeshError('not_found', `There is no token "${id}" that acts for a person.`);
  }
  return token;
}

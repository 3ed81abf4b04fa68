import { covers, MeshError } from '@meshwork/contract';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Stored, View } from '../../mesh/model.ts';

/** The token, if the caller may know of it. What lies outside its scope is not there for it. */
export function findToken(view: View, id: string, actor: TokenActor): Stored<'token'> {
  const token = view.get('token', id);
  if (token === undefined) throw new MeshError('not_found', notThere(id));
  if (!covers(actor.scope, token.body.scope)) {
    throw new MeshError('not_found', notThere(id), { refused_as: 'outside_scope' });
  }
  return token;
}

function notThere(id: string): string {
  return `There is no token "${id}".`;
}

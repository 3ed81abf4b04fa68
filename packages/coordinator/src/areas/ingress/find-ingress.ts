import { covers, MeshError } from '@meshwork/contract';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Stored, View } from '../../mesh/model.ts';

/** The ingress, if the caller may know of it. What lies outside its scope is not there for it. */
export function findIngress(view: View, id: string, actor: TokenActor): Stored<'ingress'> {
  const ingress = view.get('ingress', id);
  if (ingress === undefined) throw new MeshError('not_found', notThere(id));
  if (!covers(actor.scope, ingress.body.scope)) {
    throw new MeshError('not_found', notThere(id), { refused_as: 'outside_scope' });
  }
  return ingress;
}

function notThere(id: string): string {
  return `There is no ingress "${id}".`;
}

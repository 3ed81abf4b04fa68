import { covers, MeshError } from '@meshwork/contract';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Stored, View } from '../../mesh/model.ts';

/** The ingress of that id or name, if the caller may know of it. What lies outside its scope is not there for it. */
export function findIngress(view: View, id: string, actor: TokenActor): Stored<'ingress'> {
  const ingress = view.get('ingress', id) ?? ingressNamed(view, id, actor);
  if (ingress === undefined) throw new MeshError('not_found', notThere(id));
  if (!covers(actor.scope, ingress.body.scope)) {
    throw new MeshError('not_found', notThere(id), { refused_as: 'outside_scope' });
  }
  return ingress;
}

/** Names of ingresses are not unique, so only one inside the scope can be meant by its name. */
function ingressNamed(view: View, name: string, { scope }: TokenActor): Stored<'ingress'> | undefined {
  let found: Stored<'ingress'> | undefined;
  let count = 0;
  for (const ingress of view.all('ingress')) {
    if (ingress.body.name !== name) continue;
    const isVisible = covers(scope, ingress.body.scope);
    if (isVisible) count++;
    if (isVisible || found === undefined) found = ingress; // one outside makes the refusal known to the audit trail
  }
  if (count > 1) throw new MeshError('not_found', `${count} ingresses are named "${name}": use the id of one.`);
  return found;
}

function notThere(id: string): string {
  return `There is no ingress "${id}".`;
}

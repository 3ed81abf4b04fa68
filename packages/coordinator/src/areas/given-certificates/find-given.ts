import { covers, MeshError, type Scope } from '@meshwork/contract';
import { ensureCovers } from '../../access/rights.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Stored, View } from '../../mesh/model.ts';

/** A certificate grants no permission, so all that has to cover it is the scope of the caller. */
export const NONE: ReadonlySet<string> = new Set();

/** Also one of a wider scope: ingresses of the caller may show it. */
export function mayRead(scope: Scope, given: Scope): boolean {
  return covers(scope, given) || covers(given, scope);
}

/** The certificate of that id or name, if the caller may know of it. */
export function findGiven(view: View, id: string, actor: TokenActor): Stored<'given_certificate'> {
  const given = view.get('given_certificate', id) ?? givenNamed(view, id, actor);
  if (given === undefined) throw new MeshError('not_found', notThere(id));
  if (mayRead(actor.scope, given.body.scope)) return given;
  throw new MeshError('not_found', notThere(id), { refused_as: 'outside_scope' });
}

/** The same, for a change: one of a wider scope is read and not written, and one of an outside authority is its own. */
export function findOwnGiven(view: View, id: string, actor: TokenActor): Stored<'given_certificate'> {
  const given = findGiven(view, id, actor);
  ensureCovers(actor, { permissions: NONE, scope: given.body.scope });
  const order = view.get('certificate_order', given.id)?.body;
  if (order !== undefined) {
    const name = view.get('outside_authority', order.authority)?.body.name ?? order.authority;
    const text = `The certificate of ${order.hostname} comes from the outside authority "${name}".`;
    throw new MeshError('certificate_ordered', text);
  }
  return given;
}

/** Names are not unique, so only one that the caller sees can be meant by its name. */
function givenNamed(view: View, name: string, { scope }: TokenActor): Stored<'given_certificate'> | undefined {
  const named = [...view.all('given_certificate')].filter(({ body }) => body.name === name);
  const visible = named.filter(({ body }) => mayRead(scope, body.scope));
  if (visible.length > 1) {
    throw new MeshError('not_found', `${visible.length} given certificates are named "${name}": use the id of one.`);
  }
  return visible[0] ?? named[0]; // one outside makes the refusal known to the audit trail
}

function notThere(id: string): string {
  return `There is no given certificate "${id}".`;
}

import { covers, MeshError, type Scope } from '@meshwork/contract';
import { ensureCovers } from '../../access/rights.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Stored, View } from '../../mesh/model.ts';

/** An authority grants no permission, so all that has to cover it is the scope of the caller. */
export const NONE: ReadonlySet<string> = new Set();

/** Also one of a wider scope: ingresses of the caller may name it. */
export function mayRead(scope: Scope, authority: Scope): boolean {
  return covers(scope, authority) || covers(authority, scope);
}

/** The authority of that id or name, if the caller may know of it. */
export function findOutside(view: View, id: string, actor: TokenActor): Stored<'outside_authority'> {
  const authority = view.get('outside_authority', id) ?? named(view, id, actor);
  if (authority === undefined) throw new MeshError('not_found', notThere(id));
  if (mayRead(actor.scope, authority.body.scope)) return authority;
  throw new MeshError('not_found', notThere(id), { refused_as: 'outside_scope' });
}

/** The same, for a change: one of a wider scope is read and not written. */
export function findOwnOutside(view: View, id: string, actor: TokenActor): Stored<'outside_authority'> {
  const authority = findOutside(view, id, actor);
  ensureCovers(actor, { permissions: NONE, scope: authority.body.scope });
  return authority;
}

/** Names are not unique, so only one that the caller sees can be meant by its name. */
function named(view: View, name: string, { scope }: TokenActor): Stored<'outside_authority'> | undefined {
  const all = [...view.all('outside_authority')].filter(({ body }) => body.name === name);
  const visible = all.filter(({ body }) => mayRead(scope, body.scope));
  if (visible.length > 1) {
    throw new MeshError('not_found', `${visible.length} outside authorities are named "${name}": use the id of one.`);
  }
  return visible[0] ?? all[0]; // one outside makes the refusal known to the audit trail
}

function notThere(id: string): string {
  return `There is no outside authority "${id}".`;
}

import { covers, MeshError, type Scope } from '@meshwork/contract';
import { ensureCovers } from '../../access/rights.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import { authorityOf, orderedId } from '../../mesh/given-certificates.ts';
import type { Stored, View } from '../../mesh/model.ts';

/** It grants no permission. */
const NONE: ReadonlySet<string> = new Set();

/** The ingresses of a caller's scope that need it. */
export function ingressesOf(
  view: View,
  { id }: Stored<'certificate_order'>,
  viewer: Scope,
): readonly Stored<'ingress'>[] {
  return [...view.all('ingress')].filter(({ body }) => {
    const authority = authorityOf(body);
    return authority !== undefined && covers(viewer, body.scope) && orderedId(authority, body.hostname) === id;
  });
}

/** Those of a caller's scope, and those that an ingress of it needs together with others. */
export function mayRead(view: View, order: Stored<'certificate_order'>, viewer: Scope): boolean {
  return covers(viewer, order.body.scope) || ingressesOf(view, order, viewer).length > 0;
}

export function findOrder(view: View, ref: string, actor: TokenActor): Stored<'certificate_order'> {
  const order = view.get('certificate_order', ref) ?? ofHostname(view, ref, actor);
  if (order === undefined) throw new MeshError('not_found', notThere(ref));
  if (mayRead(view, order, actor.scope)) return order;
  throw new MeshError('not_found', notThere(ref), { refused_as: 'outside_scope' });
}

/** The same, to bring it forward: for one that an ingress of the caller needs. */
export function findOwnOrder(view: View, ref: string, actor: TokenActor): Stored<'certificate_order'> {
  const order = findOrder(view, ref, actor);
  if (ingressesOf(view, order, actor.scope).length === 0)
    ensureCovers(actor, { permissions: NONE, scope: order.body.scope });
  return order;
}

function ofHostname(view: View, hostname: string, { scope }: TokenActor): Stored<'certificate_order'> | undefined {
  const all = [...view.all('certificate_order')].filter(({ body }) => body.hostname === hostname);
  const visible = all.filter((order) => mayRead(view, order, scope));
  // One that is needed hides those of authorities that the ingress had before.
  const needed = visible.filter(({ body }) => body.unneeded_since === null);
  const [found, ...others] = needed.length > 0 ? needed : visible;
  if (others.length > 0) {
    throw new MeshError('not_found', `${others.length + 1} orders are for ${hostname}: use the id of one.`);
  }
  return found ?? all[0]; // one outside makes the refusal known to the audit trail
}

function notThere(ref: string): string {
  return `There is no certificate order "${ref}".`;
}

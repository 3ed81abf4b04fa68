import { covers, MeshError, type Scope } from '@meshwork/contract';
import { ensureCovers } from '../../access/rights.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Stored, View } from '../../mesh/model.ts';

/** A policy grants no permission, so all that has to cover it is the scope of the caller. */
const NONE: ReadonlySet<string> = new Set();

/** Also one of a wider scope: ingresses of the caller may use it, and it has to know what their requests pass. */
export function mayRead(scope: Scope, policy: Scope): boolean {
  return covers(scope, policy) || covers(policy, scope);
}

/** The policy of that id or name, if the caller may know of it. */
export function findPolicy(view: View, id: string, actor: TokenActor): Stored<'waf'> {
  const policy = view.get('waf', id) ?? policyNamed(view, id, actor);
  if (policy === undefined) throw new MeshError('not_found', notThere(id));
  if (mayRead(actor.scope, policy.body.scope)) return policy;
  throw new MeshError('not_found', notThere(id), { refused_as: 'outside_scope' });
}

/** The same, for a change: one of a wider scope is read and not written. */
export function findOwnPolicy(view: View, id: string, actor: TokenActor): Stored<'waf'> {
  const policy = findPolicy(view, id, actor);
  ensureCovers(actor, { permissions: NONE, scope: policy.body.scope });
  return policy;
}

/** Names of policies are not unique, so only one that the caller sees can be meant by its name. */
function policyNamed(view: View, name: string, { scope }: TokenActor): Stored<'waf'> | undefined {
  const named = [...view.all('waf')].filter(({ body }) => body.name === name);
  const visible = named.filter(({ body }) => mayRead(scope, body.scope));
  if (visible.length > 1)
    throw new MeshError('not_found', `${visible.length} WAF policies are named "${name}": use the id of one.`);
  return visible[0] ?? named[0]; // one outside makes the refusal known to the audit trail
}

function notThere(id: string): string {
  return `There is no WAF policy "${id}".`;
}

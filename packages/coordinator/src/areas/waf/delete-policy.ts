import { covers, MeshError } from '@meshwork/contract';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import { policiesNamedBy } from '../../mesh/waf-policies.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { findOwnPolicy } from './find-policy.ts';

export function deletePolicy(call: Call<'waf.delete'>): Promise<Reply<'waf.delete'>> {
  return call.transact((tx, actor) => {
    const policy = findOwnPolicy(tx, call.params.id, actor);
    ensureMatches(policy, call.if_match);
    ensureUnused(tx, policy, actor);
    const { id, body } = policy;
    const { scope, name } = body;
    const subject = { kind: 'waf', id } as const;
    tx.delete('waf', id);
    tx.record({ target: subject, scope });
    tx.emit({ type: 'waf.deleted', subject, scope, data: { name } });
    return { body: undefined };
  });
}

/** Walks the ingresses as the transaction has them, which no index does: one may have been given the policy in the same batch. */
function ensureUnused(tx: Transaction, { id, body: { name } }: Stored<'waf'>, { scope }: TokenActor): void {
  const users = [...tx.all('ingress')].filter((ingress) => policiesNamedBy(ingress.body).includes(id));
  const [first] = users;
  if (first === undefined) return;
  const visible = users.find((ingress) => covers(scope, ingress.body.scope));
  const { waf = null, routes = [] } = (visible ?? first).body;
  const path = waf === id ? '/' : (routes.find((route) => route.waf === id)?.path ?? '/');
  const more = users.length > 1 ? ` So do ${users.length - 1} more.` : '';
  throw new MeshError(
    'waf_in_use',
    visible === undefined
      ? `An ingress outside the scope of the caller uses the WAF policy "${name}".`
      : `The ingress "${visible.body.name}" uses the WAF policy "${name}" for the path "${path}".${more}`,
  );
}

import type { TokenWithSecret } from '@meshwork/contract';
import { heldPermissions } from '../../access/held-permissions.ts';
import { lineOf } from '../../access/lineage.ts';
import { ensureMaySet, setterOf } from '../../access/owners.ts';
import { ensureCovers, grantedBy } from '../../access/rights.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';

/**
 * A caller that gets to see a secret must be able to do all that it permits: also what its role would allow again once
 * a token above it has ended. One that rotates itself sees no more than it already has.
 */
export function ensureCoversToken(tx: Transaction, actor: TokenActor, token: Stored<'token'>): void {
  const { role, scope } = token.body;
  const isItself = lineOf(tx, token).has(actor.id);
  const permissions = isItself ? heldPermissions(tx, token, tx.now_ms) : grantedBy(tx, role);
  ensureCovers(actor, { permissions, scope });
}

/** A repeated request shows its secret again only to who could still make that token: rights may have shrunk since. */
export function ensureMayHearSecret(
  { body: { id, role, scope, tags } }: { readonly body: TokenWithSecret },
  tx: Transaction,
  actor: TokenActor,
): void {
  const token = tx.get('token', id);
  if (token !== undefined) ensureCoversToken(tx, actor, token);
  else ensureCovers(actor, { permissions: grantedBy(tx, role), scope });
  // An answer of an older version has no tags.
  ensureMaySet(tx, setterOf(tx, actor), tags ?? []);
}

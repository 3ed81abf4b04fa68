import type { TokenWithSecret } from '@meshwork/contract';
import { ensureMaySet, setterOf } from '../../access/owners.ts';
import { ensureCovers, grantedBy } from '../../access/rights.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Transaction } from '../../mesh/transaction.ts';

/** A repeated request shows its secret again only to who could still make that token: rights may have shrunk since. */
export function ensureMayHearSecret(
  answer: { readonly body: TokenWithSecret },
  tx: Transaction,
  actor: TokenActor,
): void {
  const { role, scope, tags } = answer.body;
  ensureCovers(actor, { permissions: grantedBy(tx, role), scope });
  // An answer of an older version has no tags.
  ensureMaySet(tx, setterOf(tx, actor), tags ?? []);
}

import type { TokenWithSecret } from '@meshwork/contract';
import { ensureCovers, grantedBy } from '../../access/rights.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Transaction } from '../../mesh/transaction.ts';

/** A repeated request shows its secret again only to who could still make that token: rights may have shrunk since. */
export function ensureMayHearSecret(
  answer: { readonly body: TokenWithSecret },
  tx: Transaction,
  actor: TokenActor,
): void {
  ensureCovers(actor, { permissions: grantedBy(tx, answer.body.role), scope: answer.body.scope });
}

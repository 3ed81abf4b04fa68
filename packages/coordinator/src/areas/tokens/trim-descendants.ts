import { OUTLIVE } from '@meshwork/contract';
import { heldPermissions } from '../../access/held-permissions.ts';
import { descendantsOf } from '../../access/lineage.ts';
import { tokenState, works } from '../../access/token-state.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';

/** A successor that ends earlier than what it replaces takes along what was made with that: each ends no later. Returns those. */
export function trimDescendants(
  tx: Transaction,
  old: Stored<'token'>,
  successor: Stored<'token'>,
): readonly Stored<'token'>[] {
  const { expires } = successor.body;
  const until_ms = Date.parse(expires);
  if (until_ms >= Date.parse(old.body.expires)) return [];
  if (heldPermissions(tx, successor, tx.now_ms).has(OUTLIVE)) return [];
  const beyond = descendantsOf(tx, old).filter(
    ({ body }) => works(tokenState(body, tx.now_ms)) && Date.parse(body.expires) > until_ms,
  );
  for (const { id, body } of beyond) tx.put('token', id, { ...body, expires });
  return beyond;
}

/** For the trail. */
export function trimmedText(trimmed: readonly Stored<'token'>[], { body }: Stored<'token'>): string {
  if (trimmed.length === 0) return '';
  return `; ${trimmed.map(({ id }) => id).join(', ')}, which it made, now expire at ${body.expires} too`;
}

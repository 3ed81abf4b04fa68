import { utc } from '@meshwork/contract';
import type { Stored } from '../mesh/model.ts';
import type { Transaction } from '../mesh/transaction.ts';
import { withPredecessors } from './lineage.ts';
import { actsForPerson, tokenState } from './token-state.ts';

/**
 * Revokes tokens, and the ones they replaced whose secrets are still valid: an operator who ends an integration's token
 * ends one credential, and no older secret may stay valid behind it. Writes an event for each. Returns all that it
 * ended, those requested first; what is revoked already stays as it is.
 */
export function endTokens(tx: Transaction, tokens: Iterable<Stored<'token'>>): readonly Stored<'token'>[] {
  const wanted = [...tokens].map((token) => tx.get('token', token.id) ?? token).filter(isNotRevoked);
  const older = wanted.flatMap((token) => retiringPredecessors(tx, token));
  const ended = new Map([...wanted, ...older].map((token) => [token.id, token]));
  const revoked_at = utc(tx.now_ms);
  for (const { id, body } of ended.values()) {
    tx.put('token', id, { ...body, revoked_at });
    if (actsForPerson(body)) continue; // signing out concerns no other caller
    const { name, scope } = body;
    tx.emit({ type: 'token.revoked', subject: { kind: 'token', id }, scope, data: { name } });
  }
  return [...ended.values()];
}

function isNotRevoked({ body }: Stored<'token'>): boolean {
  return body.revoked_at === null;
}

function retiringPredecessors(tx: Transaction, token: Stored<'token'>): readonly Stored<'token'>[] {
  return [...withPredecessors(tx, token)].slice(1).filter(({ body }) => tokenState(body, tx.now_ms) === 'retiring');
}

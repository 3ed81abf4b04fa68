import { utc } from '@meshwork/contract';
import { tokenRecord } from '../../access/token-record.ts';
import { speaksForPerson, tokenState } from '../../access/token-state.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { findToken } from './find-token.ts';

/**
 * Ends a token for good. Nodes, keys and certificates are untouched on purpose: tokens are not identities.
 * Revoking needs no more than the permission and the scope: whoever finds a stronger token leaked can end it.
 */
export function revokeToken(mesh: Mesh, call: Call<'tokens.revoke'>): Promise<Reply<'tokens.revoke'>> {
  return call.transact((tx, actor) => {
    const found = findToken(tx, call.params.id, actor);
    ensureMatches(found, call.if_match);
    const token = found.body.revoked_at === null ? revoke(tx, found) : found;
    const body = tokenRecord(tx, token, { now_ms: tx.now_ms, presence: mesh.presence });
    return { body, revision: token.revision };
  });
}

function revoke(tx: Transaction, token: Stored<'token'>): Stored<'token'> {
  const revoked_at = utc(tx.now_ms);
  const revoked = tx.put('token', token.id, { ...token.body, revoked_at });
  // To whoever revokes an integration's token it is one credential: no older secret may stay good behind it.
  const older = [...retiringPredecessors(tx, token)];
  for (const predecessor of older) tx.put('token', predecessor.id, { ...predecessor.body, revoked_at });
  for (const { id, body } of [token, ...older]) {
    if (speaksForPerson(body)) continue; // signing out is no news to anybody else
    const { name, scope } = body;
    tx.tell({ type: 'token.revoked', subject: { kind: 'token', id }, scope, data: { name } });
  }
  tx.record({
    target: { kind: 'token', id: token.id },
    scope: token.body.scope,
    detail: older.length === 0 ? null : `also ended ${older.map(({ id }) => id).join(', ')}, which it had replaced`,
  });
  return revoked;
}

function* retiringPredecessors(tx: Transaction, token: Stored<'token'>): Generator<Stored<'token'>> {
  for (let id = token.body.rotated_from; id !== null; ) {
    const predecessor = tx.get('token', id);
    if (predecessor === undefined) return;
    if (tokenState(predecessor.body, tx.now_ms) === 'retiring') yield predecessor;
    id = predecessor.body.rotated_from;
  }
}

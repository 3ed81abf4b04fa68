import { endTokens } from '../../access/end-tokens.ts';
import { descendantsOf } from '../../access/lineage.ts';
import { tokenRecord } from '../../access/token-record.ts';
import { tokenState, works } from '../../access/token-state.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { findToken } from './find-token.ts';

/**
 * Ends a token for good. Nodes, keys and certificates are untouched on purpose: tokens are not identities. Revoking
 * needs no more than the permission and the scope: an operator who finds a stronger token leaked can end it. What it
 * made lies inside its scope, so a caller that may end it may end that too.
 */
export function revokeToken(mesh: Mesh, call: Call<'tokens.revoke'>): Promise<Reply<'tokens.revoke'>> {
  return call.transact((tx, actor) => {
    const found = findToken(tx, call.params.id, actor);
    ensureMatches(found, call.if_match);
    revoke(tx, found, call.query.children ? livingDescendants(tx, found) : []);
    const token = tx.get('token', found.id) ?? found;
    const body = tokenRecord(tx, token, { now_ms: tx.now_ms, presence: mesh.presence });
    return { body, revision: token.revision };
  });
}

function livingDescendants(tx: Transaction, token: Stored<'token'>): readonly Stored<'token'>[] {
  return descendantsOf(tx, token).filter(({ body }) => works(tokenState(body, tx.now_ms)));
}

function revoke(tx: Transaction, token: Stored<'token'>, made: readonly Stored<'token'>[]): void {
  const own = endTokens(tx, [token]).filter(({ id }) => id !== token.id);
  const theirs = endTokens(tx, made);
  if (token.body.revoked_at !== null && theirs.length === 0) return;
  const detail = [
    ...(own.length === 0 ? [] : [`also ended ${idsOf(own)}, which it had replaced`]),
    ...(theirs.length === 0 ? [] : [`also ended ${idsOf(theirs)}, made by it`]),
  ].join('; ');
  const target = { kind: 'token', id: token.id };
  tx.record({ target, scope: token.body.scope, detail: detail === '' ? null : detail });
}

function idsOf(tokens: readonly Stored<'token'>[]): string {
  return tokens.map(({ id }) => id).join(', ');
}

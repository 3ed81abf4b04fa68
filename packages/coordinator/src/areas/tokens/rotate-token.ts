import {
  DEFAULT_ROTATION_DEADLINE_S,
  DELEGATE,
  MeshError,
  newId,
  type TokenId,
  type TokenWithSecret,
  utc,
} from '@meshwork/contract';
import { boundBy, boundOf } from '../../access/latest-expiry.ts';
import { lineOf } from '../../access/lineage.ts';
import { ensureMaySet, setterOf } from '../../access/owners.ts';
import { tokenRecord } from '../../access/token-record.ts';
import { newSecret } from '../../access/token-secret.ts';
import { actsForPerson, tokenState } from '../../access/token-state.ts';
import { refOf, type TokenActor } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { checkedExpiry, renewedExpiry } from './expiry.ts';
import { findToken } from './find-token.ts';
import { makerOf } from './maker.ts';
import { ensureCoversToken, ensureMayHearSecret } from './secret-again.ts';
import { trimDescendants, trimmedText } from './trim-descendants.ts';

/**
 * A successor with a new id takes over, so that the trail shows who still used the old secret. The caller gets to see a
 * working secret, so rotating needs as much as creating: a token that is stronger than the caller is refused.
 */
export function rotateToken(mesh: Mesh, call: Call<'tokens.rotate'>): Promise<Reply<'tokens.rotate'>> {
  const id = newId('token', call.now_ms);
  const secret = newSecret(id);
  return call.transact((tx, actor) => {
    const old = findToken(tx, call.params.id, actor);
    ensureMayRotate(tx, actor, old);
    ensureMatches(old, call.if_match);
    const state = tokenState(old.body, tx.now_ms);
    if (state !== 'active') {
      const hint = old.body.rotated_to === null ? '' : ` It was rotated to ${old.body.rotated_to}.`;
      throw new MeshError('token_not_active', `The token is ${state}; only an active one can be rotated.${hint}`);
    }
    const isItself = lineOf(tx, old).has(actor.id);
    const maker = isItself ? { created_by: refOf(actor) } : makerOf(tx, actor, tx.now_ms);
    const bound = isItself ? boundOf(tx, old, tx.now_ms) : boundBy(tx, maker.created_by, tx.now_ms);
    const deadline_s = call.body.deadline_s ?? DEFAULT_ROTATION_DEADLINE_S;
    tx.put('token', old.id, { ...old.body, retires_at: utc(tx.now_ms + deadline_s * 1000), rotated_to: id });
    const { expires } = call.body;
    const { expiry_announced: _, made_as: __, ...inherited } = old.body;
    const successor = tx.create('token', id, {
      ...inherited,
      expires: expires === undefined ? renewedExpiry(tx, old.body, bound) : checkedExpiry(tx, expires, bound),
      created_at: utc(tx.now_ms),
      ...maker,
      secret_sha256: secret.sha256,
      rotated_from: old.id as TokenId,
    });
    const trimmed = trimDescendants(tx, old, successor);
    const { name, scope } = old.body;
    const subject = { kind: 'token', id: old.id } as const;
    tx.record({ target: subject, scope, detail: `rotated to ${id}${trimmedText(trimmed, successor)}` });
    tx.emit({ type: 'token.rotated', subject, scope, data: { name, successor: id } });
    const body: TokenWithSecret = {
      ...tokenRecord(tx, successor, { now_ms: tx.now_ms, presence: mesh.presence }),
      secret: secret.text,
    };
    return { body, revision: successor.revision, location: `/v1/auth/tokens/${id}` };
  }, ensureMayHearSecret);
}

function ensureMayRotate(tx: Transaction, actor: TokenActor, old: Stored<'token'>): void {
  ensureCoversToken(tx, actor, old);
  ensureMaySet(
    tx,
    setterOf(tx, actor),
    (old.body.tags ?? []).map(({ tag }) => tag),
  );
  // A token that acts for people may rotate itself, and no other token.
  if (actor.permissions.has(DELEGATE) && old.id !== actor.id) {
    throw new MeshError('exceeds_own_rights', `The caller, a ${actor.role}, can rotate no token but its own.`);
  }
  if (actsForPerson(old.body)) {
    throw new MeshError('token_delegated', `The token acts for ${old.body.on_behalf_of?.name} and cannot be rotated.`);
  }
}

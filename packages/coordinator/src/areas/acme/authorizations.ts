/** That an account may have certificates for a name, and how it proves that (RFC 8555, 7.5). */
import { randomBytes } from 'node:crypto';
import { type AuthorizationId, CHALLENGE_TYPES, type ChallengeType, newId, utc } from '@meshwork/contract';
import { nodeOfName } from '../../issuing/granted-names.ts';
import type { AuthorizationDocument } from '../../kinds/acme.ts';
import type { Stored, View } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { AcmeAnswer, AcmeCall } from './acme-call.ts';
import { malformed, notFound } from './acme-error.ts';
import { authorizationKey } from './desk.ts';
import { ANSWERS, ORDER_LIFE_MS, REUSED_BEFORE_END_MS } from './limits.ts';
import type { AuthorizedName } from './names.ts';

type AuthorizationStatus = 'pending' | 'valid' | 'invalid' | 'deactivated' | 'expired';

/** How soon a client should look again at what is being proven. */
const LOOK_AGAIN_S = 1;
/** Ours: most nodes have answered by then. */
const DECIDED_WITHIN_MS = 1000;
/** Half of those that could be used again are not where clients are tried. */
const REUSE_TRIED = 2;

/** A name that moved to another node has to be proven anew. */
export function authorizationStatus(
  view: View,
  authorization: Stored<'acme_authorization'> | undefined,
  now_ms: number,
): AuthorizationStatus {
  if (authorization === undefined) return 'expired';
  const { state, expires, name, node } = authorization.body;
  if (state === 'invalid' || state === 'deactivated') return state;
  if (Date.parse(expires) <= now_ms) return state === 'valid' ? 'expired' : 'invalid';
  if (state !== 'valid') return 'pending';
  return nodeOfName(view, name)?.id === node ? 'valid' : 'invalid';
}

/** One of the account that was proven lately. */
export function reusable(
  call: AcmeCall,
  tx: Transaction,
  { name, node }: AuthorizedName,
): Stored<'acme_authorization'> | undefined {
  const { desk, account_id: account } = call;
  const ids = desk.indexes.authorizations.of(authorizationKey({ account, name }));
  const good = [...ids]
    .flatMap((id) => tx.get('acme_authorization', id) ?? [])
    .find((one) => {
      const isLong = Date.parse(one.body.expires) >= tx.now_ms + REUSED_BEFORE_END_MS;
      return isLong && one.body.node === node && authorizationStatus(tx, one, tx.now_ms) === 'valid';
    });
  return good !== undefined && !desk.tries_acme_client(REUSE_TRIED) ? good : undefined;
}

export function newAuthorization(
  { account_id: account }: AcmeCall,
  tx: Transaction,
  { name, node }: AuthorizedName,
): Stored<'acme_authorization'> {
  return tx.create('acme_authorization', newId('authorization', tx.now_ms), {
    account,
    name,
    node,
    state: 'pending',
    token: randomBytes(32).toString('base64url'),
    expires: utc(tx.now_ms + ORDER_LIFE_MS),
    tried: null,
  });
}

/** Shows it, or gives it up. */
export async function useAuthorization(call: AcmeCall, [id]: readonly string[]): Promise<AcmeAnswer> {
  const { model } = call.desk.mesh;
  const found = own(call, model, id);
  if (call.reads) return answer(call, found);
  const { status } = call.fields;
  if (status !== 'deactivated') throw malformed('The only status to set is "deactivated".');
  const changed = await call.transact((tx) => {
    const now = own(call, tx, id);
    return tx.put('acme_authorization', now.id, { ...now.body, state: 'deactivated' });
  });
  return answer(call, changed);
}

/** Shows a challenge, or takes word that its answer is in place. `validate-challenges.ts` looks. */
export async function answerChallenge(call: AcmeCall, [id, type]: readonly string[]): Promise<AcmeAnswer> {
  const { desk } = call;
  const found = own(call, desk.mesh.model, id);
  if (!isChallengeType(type)) throw notFound('challenge');
  if (call.reads) return challengeAnswer(call, found, type);
  if (Object.keys(call.fields).length > 0) throw malformed('The payload is {}: the answer is shown by the node.');
  // Said again, or of another way than the first: what is under way or over is shown.
  if (!isOpen(desk.mesh.model, found, call.now_ms)) return challengeAnswer(call, found, type);
  desk.limit.take(`acme answers ${authorizationKey(found.body)}`, ANSWERS);
  const changed = await call.transact((tx) => {
    const now = own(call, tx, id);
    if (!isOpen(tx, now, tx.now_ms)) return now;
    const tried = { type, answered_at: utc(tx.now_ms), proven_at: null, error: null };
    return tx.put('acme_authorization', now.id, { ...now.body, state: 'processing', tried });
  });
  if (changed.body.state === 'processing') await desk.decisions.next(changed.id, DECIDED_WITHIN_MS);
  return challengeAnswer(call, own(call, desk.mesh.model, id), type);
}

function isOpen(view: View, one: Stored<'acme_authorization'>, now_ms: number): boolean {
  return one.body.state === 'pending' && authorizationStatus(view, one, now_ms) === 'pending';
}

function own(call: AcmeCall, view: View, id = ''): Stored<'acme_authorization'> {
  const found = view.get('acme_authorization', id);
  if (found?.body.account !== call.account_id) throw notFound('authorization');
  return found;
}

function isChallengeType(type: string | undefined): type is ChallengeType {
  return CHALLENGE_TYPES.some((one) => one === type);
}

function answer(call: AcmeCall, stored: Stored<'acme_authorization'>): AcmeAnswer {
  const { id, body } = stored;
  const status = authorizationStatus(call.desk.mesh.model, stored, call.now_ms);
  // Once one was tried, the others say nothing any more.
  const types = body.tried === null ? CHALLENGE_TYPES : [body.tried.type];
  return {
    ...waiting(body),
    body: {
      status,
      expires: body.expires,
      identifier: { type: 'dns', value: body.name },
      challenges: types.map((type) => challenge(call, id as AuthorizationId, body, type)),
    },
  };
}

function challengeAnswer(call: AcmeCall, { id, body }: Stored<'acme_authorization'>, type: ChallengeType): AcmeAnswer {
  const up = call.url('authorization', id);
  return { ...waiting(body), up, body: challenge(call, id as AuthorizationId, body, type) };
}

function waiting({ state }: AuthorizationDocument): Pick<AcmeAnswer, 'retry_after_s'> {
  return state === 'processing' ? { retry_after_s: LOOK_AGAIN_S } : {};
}

function challenge(call: AcmeCall, id: AuthorizationId, body: AuthorizationDocument, type: ChallengeType): object {
  const tried = body.tried?.type === type ? body.tried : undefined;
  return {
    type,
    url: call.url('challenge', id, type),
    status: challengeStatus(body, tried !== undefined),
    token: body.token,
    ...(tried?.proven_at ? { validated: tried.proven_at } : {}),
    ...(tried?.error ? { error: tried.error } : {}),
  };
}

function challengeStatus({ state }: AuthorizationDocument, isTried: boolean): string {
  if (!isTried || state === 'deactivated') return 'pending';
  return state;
}

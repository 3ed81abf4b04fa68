/** Accounts act as tokens. An account is bound to one when it is made (RFC 8555, 7.3.4), and has no right but what the token has. */
import { isId, OPERATIONS, type TokenId } from '@meshwork/contract';
import { ensurePermitted, Refused, reauthenticate } from '../../access/authenticate.ts';
import { actsForPerson } from '../../access/token-state.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { AcmeError } from './acme-error.ts';
import type { Desk } from './desk.ts';
import { readJwk } from './jwk.ts';
import { headerOf, jwsOf, objectOf, verifiedPayload } from './jws.ts';
import type { SignedRequest } from './signed-request.ts';

const MACS = ['HS256', 'HS384', 'HS512'];

/** The key that a client binds its account with. It follows from the secret of the token: a new secret makes a new key. */
export function bindingKey(mesh: Pick<Mesh, 'derive'>, token: Stored<'token'>): Buffer<ArrayBuffer> {
  return mesh.derive(`acme external account binding ${token.id} ${token.body.secret_sha256}`);
}

/** The token that a request binds its key to. One answer to all that is wrong with the credentials. */
export async function boundToken({ mesh }: Desk, request: SignedRequest, binding: unknown): Promise<TokenId> {
  if (binding === undefined) {
    const detail = 'An account here is bound to a token: get a key id and a key with "mesh acme bind".';
    throw new AcmeError('externalAccountRequired', detail);
  }
  const jws = jwsOf(binding, 'The external account binding');
  const { alg, url, nonce, kid = '' } = headerOf(jws);
  if (!MACS.includes(alg) || url !== request.url || nonce !== undefined) {
    throw new AcmeError('malformed', `The external account binding has ${MACS.join(', ')}, this URL and no nonce.`);
  }
  const token = mesh.model.get('token', kid);
  const refused = new AcmeError('unauthorized', 'The key of the external account binding is not known here.');
  if (token === undefined || actsForPerson(token.body) || !isId('token', kid)) throw refused;
  const payload = await verifiedPayload(jws, bindingKey(mesh, token), MACS).catch(() => {
    throw refused;
  });
  if (readJwk(objectOf(payload)).thumbprint !== request.key.thumbprint) {
    throw new AcmeError('malformed', 'The external account binding is for another key than that of the request.');
  }
  return kid;
}

/** The token that speaks for an account now: its own, or what that was rotated to. */
export function tokenOfAccount(view: View, id: TokenId): Stored<'token'> | undefined {
  let token = view.get('token', id);
  for (let next = token; next !== undefined; next = nextOf(view, next)) token = next;
  return token;
}

function nextOf(view: View, { body }: Stored<'token'>): Stored<'token'> | undefined {
  return body.rotated_to === null ? undefined : view.get('token', body.rotated_to);
}

/** Who acts. Throws `Refused` when the token does not work, or may not have certificates issued. */
export function actorOfToken(view: View, id: TokenId, now_ms: number): TokenActor {
  const actor = reauthenticate(view, (tokenOfAccount(view, id)?.id ?? id) as TokenId, now_ms);
  ensurePermitted(actor, OPERATIONS['ca.issue']);
  return actor;
}

/** Whether an account could have a certificate issued now. */
export function worksNow(view: View, account: Stored<'acme_account'>, now_ms: number): boolean {
  if (account.body.state !== 'valid') return false;
  try {
    actorOfToken(view, account.body.token, now_ms);
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

import { addressPrefixOf } from '@meshwork/service';
import type { Stored } from '../../mesh/model.ts';
import type { ProtocolRequest } from '../protocol.ts';
import { AcmeError, malformed } from './acme-error.ts';
import type { Desk } from './desk.ts';
import { type AccountKey, openJwk, readJwk } from './jwk.ts';
import { ensureAlgorithm, type Header, headerOf, readJws, verifiedPayload } from './jws.ts';
import { REQUESTS, STRANGERS } from './limits.ts';
import { ACCOUNT_PATH, ACME_PATH } from './paths.ts';

/** What a signed request may be signed with: the key of an account, or one that it brings itself. */
export type SignedBy = 'account' | 'key' | 'either';

export interface SignedRequest {
  /** Empty: the request only reads. */
  readonly payload: string;
  /** What it was sent to, as its signature says. */
  readonly url: string;
  readonly key: AccountKey;
  /** Undefined: it brought its key itself. */
  readonly account: Stored<'acme_account'> | undefined;
}

/** One of so many good nonces is refused where clients are tried, as Pebble does. */
const NONCES_TRIED = 20;

/** Finds out who sends a request. Nothing of it is believed before its signature was verified. */
export async function openRequest(desk: Desk, request: ProtocolRequest, by: SignedBy): Promise<SignedRequest> {
  const stranger = `acme ${addressPrefixOf(request.request.address)}`;
  let signed: SignedRequest & { readonly nonce: string | undefined };
  try {
    signed = await verified(desk, request, by);
  } catch (error) {
    desk.limit.take(stranger, STRANGERS);
    throw error;
  }
  const { nonce, ...rest } = signed;
  const isGood = nonce !== undefined && (await desk.nonces.redeem(nonce));
  if (!isGood || desk.tries_acme_client(NONCES_TRIED)) {
    throw new AcmeError('badNonce', 'The nonce was used already, is too old, or is none of ours. Take the new one.');
  }
  desk.limit.take(signed.account?.id ?? stranger, REQUESTS);
  return rest;
}

async function verified(desk: Desk, request: ProtocolRequest, by: SignedBy) {
  const jws = readJws(request.body.toString('utf8'));
  const header = headerOf(jws);
  ensureUrl(header, request);
  if ((header.jwk === undefined) === (header.kid === undefined)) throw malformed('The request has either jwk or kid.');
  if (by === 'account' && header.kid === undefined) throw malformed('This is signed with kid, the URL of the account.');
  if (by === 'key' && header.jwk === undefined) throw malformed('This is signed with jwk, the key of the account.');
  const account = header.kid === undefined ? undefined : accountAt(desk, header.kid);
  const key = account === undefined ? readJwk(header.jwk) : openJwk(account.body.key);
  ensureAlgorithm(header.alg, key.algorithm);
  const payload = await verifiedPayload(jws, key.key, [key.algorithm]);
  // Only now: what an account is like is for its holder to know.
  if (account !== undefined) ensureValid(account);
  return { payload, url: header.url, nonce: header.nonce, key, account };
}

/** A request that was signed for one place is not good at another. Whether it went through TLS, a proxy may know better. */
function ensureUrl({ url }: Header, { origin, path }: ProtocolRequest): void {
  const here = URL.parse(`${origin}${ACME_PATH}${path}`);
  const there = URL.parse(url);
  const isHere = here !== null && there?.host === here.host && there.pathname === here.pathname && there.search === '';
  if (!isHere) throw new AcmeError('unauthorized', 'The request was signed for another URL.');
}

function accountAt({ mesh }: Desk, kid: string): Stored<'acme_account'> {
  const { pathname = '' } = URL.parse(kid) ?? {};
  const id = pathname.startsWith(ACCOUNT_PATH) ? pathname.slice(ACCOUNT_PATH.length) : '';
  const account = mesh.model.get('acme_account', id);
  if (account === undefined) throw new AcmeError('accountDoesNotExist', 'There is no account at this kid.');
  return account;
}

export function ensureValid({ body }: Stored<'acme_account'>): void {
  if (body.state !== 'valid') throw new AcmeError('unauthorized', 'The account was deactivated. Make another.');
}

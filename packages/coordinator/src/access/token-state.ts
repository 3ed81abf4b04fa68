import { MAX_DELEGATION_S, type TokenState } from '@meshwork/contract';
import type { TokenDocument } from '../kinds/tokens.ts';

/** Of the states that listings show (`shown-state.ts`), those that decide whether the secret is good. */
type TimedState = Exclude<TokenState, 'used_up'>;

/** The state follows from the times alone, so it needs no timer and is right after any restart. */
export function tokenState(token: TokenDocument, now_ms: number): TimedState {
  if (token.revoked_at !== null) return 'revoked';
  if (now_ms >= goodUntil(token)) return 'expired';
  return token.retires_at === null ? 'active' : 'retiring';
}

/** The moment from which the token no longer works, revocation aside. */
export function goodUntil(token: TokenDocument): number {
  const expires = Date.parse(token.expires);
  return token.retires_at === null ? expires : Math.min(expires, Date.parse(token.retires_at));
}

export function works(state: TimedState): boolean {
  return state === 'active' || state === 'retiring';
}

/** How long before its end the event is written; the contract's description of `token.expiring` says so too. */
const AHEAD_MS = 7 * 24 * 3600 * 1000;

/** Whether it needs attention. One that was rotated has its successor already; one that is used up needs none. */
export function isExpiringSoon(token: TokenDocument, now_ms: number): boolean {
  if (token.uses_left === 0) return false;
  const expires_ms = Date.parse(token.expires);
  if (expires_ms - now_ms > AHEAD_MS) return false;
  // One that was made for less time is expected to end.
  if (expires_ms - Date.parse(token.created_at) <= AHEAD_MS) return false;
  return tokenState(token, now_ms) === 'active';
}

/** Whether it is one of those that the panel has made for people who are signed in. */
export function actsForPerson({ on_behalf_of }: Pick<TokenDocument, 'on_behalf_of'>): boolean {
  return on_behalf_of !== undefined && on_behalf_of !== null;
}

/**
 * How long the token of a person is kept after its end: for so long a caller that still uses it learns that it has
 * expired.
 */
export const DELEGATION_KEPT_MS = 24 * 3600 * 1000;

/** Since it was made, the longest that anything can have been done or refused in its name. What forgets tokens runs once an hour. */
export const DELEGATION_REMEMBERED_MS = MAX_DELEGATION_S * 1000 + DELEGATION_KEPT_MS + 2 * 3600 * 1000;

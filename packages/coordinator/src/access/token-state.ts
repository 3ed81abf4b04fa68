import type { TokenState } from '@meshwork/contract';
import type { TokenDocument } from '../mesh/kinds.ts';

/** The state follows from the times alone, so it needs no timer and is right after any restart. */
export function tokenState(token: TokenDocument, now_ms: number): TokenState {
  if (token.revoked_at !== null) return 'revoked';
  if (now_ms >= goodUntil(token)) return 'expired';
  return token.retires_at === null ? 'active' : 'retiring';
}

/** The moment from which the token no longer works, revocation aside. */
export function goodUntil(token: TokenDocument): number {
  const expires = Date.parse(token.expires);
  return token.retires_at === null ? expires : Math.min(expires, Date.parse(token.retires_at));
}

export function works(state: TokenState): boolean {
  return state === 'active' || state === 'retiring';
}

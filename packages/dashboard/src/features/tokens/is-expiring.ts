import type { Token } from '@meshwork/contract';

/** How far ahead the coordinator looks for `token.expiring`. */
export const AHEAD_DAYS = 7;
const AHEAD_MS = AHEAD_DAYS * 24 * 3600 * 1000;

/** Whether it needs attention. A token that was created for less is expected to expire. */
export function isExpiring({ state, expires, created_at }: Token, now_ms: number): boolean {
  const expires_ms = Date.parse(expires);
  return state === 'active' && expires_ms - now_ms <= AHEAD_MS && expires_ms - Date.parse(created_at) > AHEAD_MS;
}

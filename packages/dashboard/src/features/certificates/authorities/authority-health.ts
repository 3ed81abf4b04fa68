/** How an authority is doing, as a function of the time. */
import type { Authority } from '@meshwork/contract';

type Life = Pick<Authority, 'not_before' | 'not_after' | 'revocation_list'>;
export type AuthorityHealth = 'healthy' | 'ending' | 'list_overdue' | 'expired';

const DAY_MS = 24 * 3_600_000;
/** Ours: from then on it is shown as a warning. */
const ENDING_PERCENT = 90;

/** Of its lifetime, in whole percent. */
export function percentUsed({ not_before, not_after }: Pick<Life, 'not_before' | 'not_after'>, now_ms: number): number {
  const start = Date.parse(not_before);
  const share = (now_ms - start) / (Date.parse(not_after) - start);
  return Math.floor(Math.min(1, Math.max(0, share)) * 100);
}

/** Whole days until it expires. */
export function daysLeft({ not_after }: Pick<Life, 'not_after'>, now_ms: number): number {
  return Math.max(0, Math.floor((Date.parse(not_after) - now_ms) / DAY_MS));
}

/** The worst that can be said of it. Programs that check revocation refuse everything once its list is overdue. */
export function healthOf(authority: Life, now_ms: number): AuthorityHealth {
  if (Date.parse(authority.not_after) <= now_ms) return 'expired';
  const { revocation_list } = authority;
  if (revocation_list !== null && Date.parse(revocation_list.next_at) <= now_ms) return 'list_overdue';
  return percentUsed(authority, now_ms) >= ENDING_PERCENT ? 'ending' : 'healthy';
}

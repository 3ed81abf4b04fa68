import { invalid, OUTLIVE, utc } from '@meshwork/contract';
import { type Bound, boundText, ensureTimeLeft } from '../../access/latest-expiry.ts';
import type { TokenDocument } from '../../kinds/tokens.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import { momentOf } from '../moment.ts';

const DAY_MS = 24 * 3600 * 1000;

/** The canonical form of an expiry that a caller requested, if it lies within what the settings and the maker allow. */
export function checkedExpiry(tx: Transaction, text: string, bound: Bound | undefined): string {
  const { max_lifetime_days } = settingsOf(tx).tokens;
  const expires_ms = Math.floor(momentOf('/expires', text) / 1000) * 1000;
  if (expires_ms <= tx.now_ms) throw invalid('/expires', `must be in the future; it is now ${utc(tx.now_ms)}`);
  const latest = tx.now_ms + max_lifetime_days * DAY_MS;
  if (expires_ms > latest) {
    throw invalid('/expires', `must be at most ${max_lifetime_days} days ahead, that is until ${utc(latest)}`);
  }
  ensureTimeLeft(bound, tx.now_ms);
  if (bound !== undefined && expires_ms > bound.until_ms) {
    throw invalid(
      '/expires',
      `must be at most ${utc(bound.until_ms)}. ${boundText(bound)}; only ${OUTLIVE} lifts this`,
    );
  }
  return utc(expires_ms);
}

/** For a successor: as long again as the old one was made for, within what the settings and its maker allow now. */
export function renewedExpiry(tx: Transaction, old: TokenDocument, bound: Bound | undefined): string {
  ensureTimeLeft(bound, tx.now_ms);
  const lifetime = Date.parse(old.expires) - Date.parse(old.created_at);
  const allowed = settingsOf(tx).tokens.max_lifetime_days * DAY_MS;
  return utc(Math.min(tx.now_ms + Math.min(lifetime, allowed), bound?.until_ms ?? Number.POSITIVE_INFINITY));
}

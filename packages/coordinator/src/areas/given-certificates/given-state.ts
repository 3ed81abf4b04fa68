/** What time makes of a given certificate. */
import { EXPIRING_DAYS, type GivenCertificateState } from '@meshwork/contract';
import type { GivenCertificateDocument } from '../../kinds/given-certificates.ts';

const DAY_MS = 86_400_000;

/** When clients begin to refuse it: it ends, or the first of its issuers does. */
export function endOf({ not_after, issuers_not_after }: GivenCertificateDocument): number {
  return Math.min(Date.parse(not_after), Date.parse(issuers_not_after ?? not_after));
}

export function stateOf(given: GivenCertificateDocument, now_ms: number): GivenCertificateState {
  const begin_ms = Date.parse(given.not_before);
  const end_ms = endOf(given);
  if (end_ms <= now_ms) return 'expired';
  if (begin_ms > now_ms) return 'not_yet_valid'; // as after the clock was set back
  // Some live for a week, and are renewed in the last third of it.
  const early_ms = Math.min(EXPIRING_DAYS * DAY_MS, (Date.parse(given.not_after) - begin_ms) / 3);
  return end_ms - now_ms <= early_ms ? 'expiring' : 'valid';
}

/** What some clients may trip over, in words. */
export function warningsOf(given: GivenCertificateDocument, now_ms: number): string[] {
  const { self_signed, issuers_not_after, not_after, key_type, issuer } = given;
  const state = stateOf(given, now_ms);
  return [
    ...(state === 'expiring' ? [`It ends at ${new Date(endOf(given)).toISOString().replace('.000', '')}.`] : []),
    ...(self_signed ? ['It is signed by itself: only clients that were given it accept it.'] : []),
    ...(issuers_not_after === null && !self_signed
      ? [`It comes without its issuer (${issuer}): clients that do not know that one refuse it.`]
      : []),
    ...(issuers_not_after !== null && issuers_not_after < not_after ? ['An issuer of it ends before it does.'] : []),
    ...(key_type === 'Ed25519' ? ['Its key is of Ed25519, which browsers do not accept.'] : []),
  ];
}

import { utc } from '@meshwork/contract';
import { digestOfText } from '@meshwork/contract/digest';
import type { CertificateDocument } from '../kinds/ca.ts';

/** Clocks differ: what is issued now is valid a little earlier. */
const BACKDATED_MS = 60_000;

interface Life {
  readonly not_before: string;
  readonly not_after: string;
}

/** From now on, and never longer than the authority that signs it. */
export function lifeFrom(now_ms: number, lifetime_s: number, issuer?: Pick<Life, 'not_after'>): Life {
  const now = Math.floor(now_ms / 1000) * 1000;
  const end = now + lifetime_s * 1000;
  const latest = issuer === undefined ? end : Math.min(end, Date.parse(issuer.not_after));
  return { not_before: utc(now - BACKDATED_MS), not_after: utc(latest) };
}

/** As dates, for signing. */
export function datesOf({ not_before, not_after }: Life): { readonly not_before: Date; readonly not_after: Date } {
  return { not_before: new Date(not_before), not_after: new Date(not_after) };
}

/**
 * When a node is asked to renew: in the first half of the last third, spread by serial number, so that nodes that were enrolled
 * together do not renew together. The second half is left for a coordinator that is away.
 */
export function renewsAt(certificate: CertificateDocument): number {
  const start = Date.parse(certificate.not_before);
  const life = Date.parse(certificate.not_after) - start;
  return start + Math.floor(life * (2 / 3 + spreadOf(certificate) / 6));
}

/** Certificates of an authority that retires are renewed within an hour, or a twelfth of their life if that is less. */
export function afterSwitchMs(life_ms: number): number {
  return Math.min(3600 * 1000, Math.floor(life_ms / 12));
}

/** When a certificate is renewed whose authority signs nothing more. */
export function renewsAfterSwitch(certificate: CertificateDocument, issuer: { readonly state_since: string }): number {
  const life_ms = Date.parse(certificate.not_after) - Date.parse(certificate.not_before);
  const at = Date.parse(issuer.state_since) + Math.floor(spreadOf(certificate) * afterSwitchMs(life_ms));
  return Math.min(at, renewsAt(certificate));
}

/** From 0 to 1, by serial number. */
function spreadOf({ serial }: CertificateDocument): number {
  return (digestOfText(serial) % 1000) / 1000;
}

/** When the renewal is late: a twelfth of its life is left. */
export function overdueAt({ not_before, not_after }: CertificateDocument): number {
  const end = Date.parse(not_after);
  return end - Math.floor((end - Date.parse(not_before)) / 12);
}

/** Whether a clock was wrong when it was issued: it is not valid yet. */
export function isOfTheFuture({ not_before }: CertificateDocument, at_ms: number): boolean {
  return Date.parse(not_before) > at_ms + BACKDATED_MS;
}

import { utc } from '@meshwork/contract';
import type { GivenRead } from '@meshwork/pki';
import type { GivenCertificateDocument } from '../kinds/given-certificates.ts';

/** What the document of a given certificate says of it, as it was read. */
export function factsOf(
  read: GivenRead,
): Omit<GivenCertificateDocument, 'name' | 'scope' | 'key' | 'created_at' | 'created_by' | 'replaced_at'> {
  const { names, subject, issuer, serial, fingerprint, key_type, self_signed, chain } = read;
  const { not_before_ms, not_after_ms, issuers_not_after_ms } = read;
  return {
    names: [...names],
    subject,
    issuer,
    serial,
    fingerprint,
    key_type,
    self_signed,
    chain,
    not_before: utc(not_before_ms),
    not_after: utc(not_after_ms),
    issuers_not_after: issuers_not_after_ms === null ? null : utc(issuers_not_after_ms),
  };
}

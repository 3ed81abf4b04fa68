import type { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { AuthorityKeyIdentifier, id_ce_authorityKeyIdentifier } from '@peculiar/asn1-x509';
import { extensionOf } from './given-names.ts';

/**
 * What an authority knows a certificate by when it is asked when to renew it (RFC 9773, section 4.1): `KEY.SERIAL`. Null: the certificate
 * does not name the key of its authority.
 */
export function renewalIdOf(certificate: X509Certificate): string | null {
  const value = extensionOf(certificate, id_ce_authorityKeyIdentifier);
  if (value === undefined) return null;
  try {
    const { keyIdentifier } = AsnConvert.parse(value, AuthorityKeyIdentifier);
    if (keyIdentifier === undefined) return null;
    const hex = certificate.serialNumber;
    // As it stands in the certificate: a positive number, which has a zero in front where its first bit is set.
    const serial = Buffer.from(`${Number.parseInt(hex.slice(0, 1), 16) >= 8 ? '00' : ''}${hex}`, 'hex');
    return `${Buffer.from(keyIdentifier.buffer).toString('base64url')}.${serial.toString('base64url')}`;
  } catch {
    return null;
  }
}

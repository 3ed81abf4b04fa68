import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { id_ce_subjectAltName, SubjectAlternativeName } from '@peculiar/asn1-x509';
import { x509 } from './x509.ts';

/** What a certificate says that is shown for `tls-alpn-01` (RFC 8737). */
export interface ChallengeCertificate {
  /** The names in it, of all kinds. */
  readonly names: readonly string[];
  /** SHA-256 of what had to be shown, in hexadecimal. Null: it has none, or not as the protocol says. */
  readonly shown_sha256: string | null;
}

/** The extension with the digest of what is shown. */
export const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31';
const SHA256_BYTES = 32;

/** Undefined: it is no certificate. */
export function readChallengeCertificate(der: Uint8Array<ArrayBuffer>): ChallengeCertificate | undefined {
  try {
    const certificate = new x509.X509Certificate(der);
    const san = certificate.getExtension(id_ce_subjectAltName);
    const names = san === null ? [] : AsnConvert.parse(san.value, SubjectAlternativeName);
    const shown = certificate.getExtension(ACME_IDENTIFIER);
    const digest =
      shown?.critical === true ? Buffer.from(AsnConvert.parse(shown.value, OctetString).buffer) : undefined;
    return {
      names: names.map((name) => name.dNSName ?? 'another kind of name'),
      shown_sha256: digest?.length === SHA256_BYTES ? digest.toString('hex') : null,
    };
  } catch {
    return undefined; // whatever it is, it is not what had to be shown
  }
}

import { hash } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_clientAuth,
  id_kp_serverAuth,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import { distributionPoint } from './authority.ts';
import type { OpenIssuer } from './issuer.ts';
import { asSchema, bytes, extensionOf, integerOf, SIGNATURE, signatureOf } from './signed.ts';

/** Who a certificate says its holder is. */
export interface CertificateNames {
  readonly dns: readonly string[];
  readonly addresses: readonly string[];
  readonly uris: readonly string[];
}

export type Usage = 'server' | 'client';

export interface CertificateWanted {
  /** The key that it is for, as SPKI in DER. */
  readonly public_key: Uint8Array<ArrayBuffer>;
  readonly names: CertificateNames;
  readonly usages: readonly Usage[];
  /** Hexadecimal. */
  readonly serial: string;
  readonly not_before: Date;
  readonly not_after: Date;
  /** Where the revocation list of the authority that signs it is. Absent: it does not say. */
  readonly list_url?: string;
}

/** X.509 allows no longer common name. */
const MAX_COMMON_NAME = 64;

/** Signs a certificate. What it may say was decided before: nothing of a request gets in here but its key. */
export function issueCertificate(issuer: OpenIssuer, wanted: CertificateWanted): Buffer<ArrayBuffer> {
  const { names } = wanted;
  const key = AsnConvert.parse(wanted.public_key, SubjectPublicKeyInfo);
  const subject = names.dns.find((name) => name.length <= MAX_COMMON_NAME);
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: integerOf(wanted.serial),
    signature: SIGNATURE,
    issuer: issuer.subject,
    validity: new Validity({ notBefore: wanted.not_before, notAfter: wanted.not_after }),
    subject: subject === undefined ? new Name() : nameOf(subject),
    subjectPublicKeyInfo: key,
    extensions: new Extensions([
      IS_NO_AUTHORITY,
      key.algorithm.algorithm === RSA ? SIGNS_AND_DECRYPTS : SIGNS,
      extensionOf(id_ce_extKeyUsage, new ExtendedKeyUsage(wanted.usages.map((usage) => USAGES[usage]))),
      // Critical where the subject is empty (RFC 5280, 4.2.1.6).
      extensionOf(id_ce_subjectAltName, alternativeNames(names), subject === undefined),
      extensionOf(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyId(key))),
      issuer.key_id_schema,
      ...distributionPoint(wanted).map(asSchema),
    ]),
  });
  const signatureValue = signatureOf(issuer.private_key, AsnConvert.serialize(tbsCertificate));
  return Buffer.from(
    AsnConvert.serialize(new Certificate({ tbsCertificate, signatureAlgorithm: SIGNATURE, signatureValue })),
  );
}

const USAGES = { server: id_kp_serverAuth, client: id_kp_clientAuth } as const satisfies Record<Usage, string>;
const COMMON_NAME = '2.5.4.3';
const RSA = '1.2.840.113549.1.1.1';
const IS_NO_AUTHORITY = extensionOf(id_ce_basicConstraints, new BasicConstraints(), true);
const SIGNS = extensionOf(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true);
/** RSA keys also decrypt what clients of TLS 1.2 send them. */
const SIGNS_AND_DECRYPTS = extensionOf(
  id_ce_keyUsage,
  new KeyUsage(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment),
  true,
);

function nameOf(common_name: string): Name {
  const value = new AttributeValue({ utf8String: common_name });
  return new Name([new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })])]);
}

/** The usual one (RFC 5280, 4.2.1.2, method 1): it names a key, and protects nothing. */
function keyId({ subjectPublicKey }: SubjectPublicKeyInfo): ArrayBuffer {
  return bytes(hash('sha1', new Uint8Array(subjectPublicKey), 'buffer'));
}

function alternativeNames({ dns, addresses, uris }: CertificateNames): SubjectAlternativeName {
  return new SubjectAlternativeName([
    ...dns.map((dNSName) => new GeneralName({ dNSName })),
    ...addresses.map((iPAddress) => new GeneralName({ iPAddress })),
    ...uris.map((uniformResourceIdentifier) => new GeneralName({ uniformResourceIdentifier })),
  ]);
}

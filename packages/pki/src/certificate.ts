import { commonName, distributionPoint } from './authority.ts';
import type { OpenIssuer } from './issuer.ts';
import { SIGNING, x509 } from './x509.ts';

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
export async function issueCertificate(issuer: OpenIssuer, wanted: CertificateWanted): Promise<Buffer<ArrayBuffer>> {
  const { names, public_key } = wanted;
  const subject = names.dns.find((name) => name.length <= MAX_COMMON_NAME);
  const key = new x509.PublicKey(public_key);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: wanted.serial,
    subject: subject === undefined ? [] : commonName(subject),
    issuer: issuer.certificate.subjectName,
    notBefore: wanted.not_before,
    notAfter: wanted.not_after,
    signingAlgorithm: SIGNING,
    signingKey: issuer.key,
    publicKey: key,
    extensions: [
      IS_NO_AUTHORITY,
      new x509.KeyUsagesExtension(keyUsages(key), true),
      extendedUsages(wanted.usages),
      // Critical where the subject is empty (RFC 5280, 4.2.1.6).
      new x509.SubjectAlternativeNameExtension(alternativeNames(names), subject === undefined),
      await x509.SubjectKeyIdentifierExtension.create(key),
      issuer.key_id,
      ...distributionPoint(wanted),
    ],
  });
  return Buffer.from(certificate.rawData);
}

const USAGES = {
  server: x509.ExtendedKeyUsage.serverAuth,
  client: x509.ExtendedKeyUsage.clientAuth,
} as const satisfies Record<Usage, string>;

/** Made once: the library writes and reads an extension several times over. */
const IS_NO_AUTHORITY = new x509.BasicConstraintsExtension(false, undefined, true);
const EXTENDED_USAGES = new Map<string, x509.ExtendedKeyUsageExtension>();

function extendedUsages(usages: readonly Usage[]): x509.ExtendedKeyUsageExtension {
  const key = usages.join();
  const known = EXTENDED_USAGES.get(key);
  if (known !== undefined) return known;
  const made = new x509.ExtendedKeyUsageExtension(usages.map((usage) => USAGES[usage]));
  EXTENDED_USAGES.set(key, made);
  return made;
}

/** RSA keys also decrypt what clients of TLS 1.2 send them. */
function keyUsages(key: x509.PublicKey): x509.KeyUsageFlags {
  const signs = x509.KeyUsageFlags.digitalSignature;
  return key.algorithm.name.startsWith('RSA') ? signs | x509.KeyUsageFlags.keyEncipherment : signs;
}

function alternativeNames({ dns, addresses, uris }: CertificateNames): x509.JsonGeneralName[] {
  return [
    ...dns.map((value) => ({ type: 'dns', value }) as const),
    ...addresses.map((value) => ({ type: 'ip', value }) as const),
    ...uris.map((value) => ({ type: 'url', value }) as const),
  ];
}

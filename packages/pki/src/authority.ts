import { type Constraints, constraintsExtension } from './constraints.ts';
import { type Issuer, newSigningKey, type OpenIssuer } from './issuer.ts';
import { type CryptoKey, SIGNING, x509 } from './x509.ts';

export interface AuthorityWanted {
  readonly name: string;
  /** Hexadecimal. */
  readonly serial: string;
  readonly not_before: Date;
  readonly not_after: Date;
  readonly constraints: Constraints;
  /** Where the revocation list of the authority that signs it is. Absent: it does not say. */
  readonly list_url?: string;
}

/** A new root: it signs itself, and below it there is one more level of authorities. */
export async function makeRoot(wanted: AuthorityWanted): Promise<Issuer> {
  const { private_key, pair } = await newSigningKey();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: wanted.serial,
    name: commonName(wanted.name),
    notBefore: wanted.not_before,
    notAfter: wanted.not_after,
    signingAlgorithm: SIGNING,
    keys: pair,
    extensions: await authorityExtensions(wanted, { levels_below: 1, publicKey: pair.publicKey }),
  });
  return { certificate: new Uint8Array(certificate.rawData), private_key };
}

/** A new intermediate: it signs certificates, and no authorities. */
export async function makeIntermediate(root: OpenIssuer, wanted: AuthorityWanted): Promise<Issuer> {
  const { private_key, pair } = await newSigningKey();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: wanted.serial,
    subject: commonName(wanted.name),
    issuer: root.certificate.subjectName,
    notBefore: wanted.not_before,
    notAfter: wanted.not_after,
    signingAlgorithm: SIGNING,
    signingKey: root.key,
    publicKey: pair.publicKey,
    extensions: [
      ...(await authorityExtensions(wanted, { levels_below: 0, publicKey: pair.publicKey })),
      root.key_id,
      ...distributionPoint(wanted),
    ],
  });
  return { certificate: new Uint8Array(certificate.rawData), private_key };
}

export async function authorityExtensions(
  { constraints }: Pick<AuthorityWanted, 'constraints'>,
  { levels_below, publicKey }: { readonly levels_below: number; readonly publicKey: CryptoKey | x509.PublicKey },
): Promise<x509.Extension[]> {
  const usages = x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign;
  return [
    new x509.BasicConstraintsExtension(true, levels_below, true),
    new x509.KeyUsagesExtension(usages, true),
    constraintsExtension(constraints),
    await x509.SubjectKeyIdentifierExtension.create(publicKey),
  ];
}

/** Where the list is (RFC 5280, 4.2.1.13). */
export function distributionPoint({ list_url }: { readonly list_url?: string }): x509.Extension[] {
  return list_url === undefined ? [] : [new x509.CRLDistributionPointsExtension([list_url])];
}

export function commonName(name: string): x509.JsonName {
  return [{ CN: [name] }];
}

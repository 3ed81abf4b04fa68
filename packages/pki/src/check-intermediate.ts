/** Reads an intermediate that was signed outside and the revocation list that comes with it, and says all that is wrong with them. */
import { X509Certificate } from 'node:crypto';
import { encloses, parseNetwork } from '@meshwork/addresses';
import {
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectKeyIdentifier,
} from '@peculiar/asn1-x509';
import { type RootList, type RootListToCheck, readRootList } from './check-root-list.ts';
import { type Constraints, readConstraints } from './constraints.ts';
import { derOf } from './pem.ts';
import { plainSerial } from './serial.ts';
import { x509 } from './x509.ts';

export interface IntermediateToCheck extends RootListToCheck {
  /** DER. */
  readonly root: Uint8Array<ArrayBuffer>;
  /** SPKI in DER: the key of the request. */
  readonly public_key: Uint8Array<ArrayBuffer>;
  readonly name: string;
  /** PEM. */
  readonly certificate: string;
  readonly shortest_ms: number;
}

export interface IntermediateChecked {
  /** DER. */
  readonly certificate: Uint8Array<ArrayBuffer>;
  readonly serial: string;
  readonly not_before: Date;
  readonly not_after: Date;
  readonly constraints: Constraints;
  /** Null: none was given. */
  readonly list: RootList | null;
}

/** `faults`: in sentences, by what they are about. */
export type IntermediateResult =
  | IntermediateChecked
  | { readonly faults: readonly { readonly of: 'certificate' | 'revocation_list'; readonly text: string }[] };

/** Clocks differ. */
const SLACK_MS = 60_000;
const HASHES = ['SHA-256', 'SHA-384', 'SHA-512'];
/** The critical ones that programs have to understand in an intermediate of ours. */
const UNDERSTOOD: readonly string[] = [
  id_ce_basicConstraints,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectKeyIdentifier,
  id_ce_authorityKeyIdentifier,
];

export async function checkIntermediate(given: IntermediateToCheck): Promise<IntermediateResult> {
  const root = new x509.X509Certificate(given.root);
  const der = derOf(['CERTIFICATE'], given.certificate);
  const certificate = der === undefined ? undefined : readCertificate(der);
  if (der === undefined || certificate === undefined) {
    return { faults: [{ of: 'certificate', text: 'The certificate is not PEM with one CERTIFICATE in it.' }] };
  }
  const faults = [...certificateFaults({ given, root, certificate, der })];
  const constraints = readConstraints(certificate);
  if ('fault' in constraints) faults.push(`The certificate ${constraints.fault}.`);
  else faults.push(...constraintFaults(constraints, readConstraints(root)));
  const list = await readRootList(given, root, certificate);
  const all = [
    ...faults.map((text) => ({ of: 'certificate' as const, text })),
    ...list.faults.map((text) => ({ of: 'revocation_list' as const, text })),
  ];
  if (all.length > 0 || 'fault' in constraints) return { faults: all };
  return {
    certificate: new Uint8Array(der),
    serial: plainSerial(certificate.serialNumber),
    not_before: certificate.notBefore,
    not_after: certificate.notAfter,
    constraints,
    list: list.read,
  };
}

function readCertificate(der: Buffer<ArrayBuffer>): x509.X509Certificate | undefined {
  try {
    return new x509.X509Certificate(der);
  } catch {
    return undefined;
  }
}

interface Reading {
  readonly given: IntermediateToCheck;
  readonly root: x509.X509Certificate;
  readonly certificate: x509.X509Certificate;
  readonly der: Buffer<ArrayBuffer>;
}

function* certificateFaults({ given, root, certificate, der }: Reading): Generator<string> {
  const [own, above] = [new X509Certificate(der), new X509Certificate(given.root)];
  if (!own.checkIssued(above) || !own.verify(above.publicKey)) {
    yield `The certificate is not signed by ${commonNameOf(root)}.`;
  }
  if (!HASHES.includes(hashOf(certificate))) yield 'The certificate is not signed with SHA-256, SHA-384 or SHA-512.';
  if (!Buffer.from(certificate.publicKey.rawData).equals(given.public_key)) {
    yield 'The certificate is for another key than the request.';
  }
  if (certificate.subject !== `CN=${given.name}`) {
    yield `The certificate names ${JSON.stringify(certificate.subject.slice(0, 100))}, and the request CN=${given.name}.`;
  }
  if (!/^[0-9a-f]{2,40}$/.test(plainSerial(certificate.serialNumber))) {
    yield 'The serial number of the certificate is longer than 20 bytes, or missing.';
  }
  yield* extensionFaults(certificate, root);
  yield* dateFaults(given, certificate, root);
}

function* extensionFaults(certificate: x509.X509Certificate, root: x509.X509Certificate): Generator<string> {
  const basic = certificate.getExtension(x509.BasicConstraintsExtension);
  if (basic?.ca !== true || !basic.critical) yield 'The certificate is not that of an authority (CA:TRUE, critical).';
  else if (basic.pathLength !== 0) yield 'The certificate allows authorities below it (it must say pathlen:0).';
  const usage = certificate.getExtension(x509.KeyUsagesExtension);
  const wanted = x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign;
  if (usage === null || !usage.critical || usage.usages !== wanted) {
    yield 'The key usage of the certificate must be keyCertSign and cRLSign, critical, and nothing else.';
  }
  if (certificate.getExtension(x509.SubjectKeyIdentifierExtension) === null) {
    yield 'The certificate has no subject key identifier.';
  }
  const above = root.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId;
  const named = certificate.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId;
  if (named === undefined) yield 'The certificate has no authority key identifier.';
  else if (named !== above) yield 'The authority key identifier of the certificate is not that of the root.';
  for (const { type, critical } of certificate.extensions) {
    if (type === id_ce_extKeyUsage) yield 'The certificate has extended key usages, which limit what is below it.';
    else if (critical && !UNDERSTOOD.includes(type)) yield `The certificate has the critical extension ${type}.`;
  }
}

function* dateFaults(
  { now_ms, shortest_ms }: IntermediateToCheck,
  certificate: x509.X509Certificate,
  root: x509.X509Certificate,
): Generator<string> {
  const { notBefore, notAfter } = certificate;
  if (notBefore.getTime() > now_ms + SLACK_MS) yield `The certificate is not valid before ${notBefore.toISOString()}.`;
  if (notAfter.getTime() <= now_ms) yield `The certificate expired at ${notAfter.toISOString()}.`;
  else if (notAfter.getTime() < now_ms + shortest_ms) {
    yield `The certificate expires at ${notAfter.toISOString()}, which is too soon: it must be good for ${shortest_ms / 86_400_000} days.`;
  }
  if (notAfter > root.notAfter) {
    yield `The certificate expires at ${notAfter.toISOString()}, after the root (${root.notAfter.toISOString()}).`;
  }
}

/** Names and SPIFFE ids as the root has them, since every node needs them; networks can be fewer. */
function* constraintFaults(own: Constraints, above: Constraints | { readonly fault: string }): Generator<string> {
  if ('fault' in above) throw new Error(`The root ${above.fault}.`);
  if (own.domains.toSorted().join() !== above.domains.toSorted().join()) {
    yield `The certificate is constrained to the domains ${own.domains.join(', ')}, and the root to ${above.domains.join(', ')}.`;
  }
  if (own.trust_domain !== above.trust_domain) {
    yield `The certificate is constrained to spiffe://${own.trust_domain}, and the root to spiffe://${above.trust_domain}.`;
  }
  const allowed = above.networks.flatMap((network) => parseNetwork(network) ?? []);
  for (const text of own.networks) {
    const network = parseNetwork(text);
    if (network === undefined || !allowed.some((outer) => encloses(outer, network))) {
      yield `The certificate is constrained to ${text}, which the root cannot certify.`;
    }
  }
}

function hashOf({ signatureAlgorithm }: x509.X509Certificate): string {
  const { hash } = signatureAlgorithm as { readonly hash?: { readonly name?: string } };
  return hash?.name ?? '';
}

function commonNameOf({ subject }: x509.X509Certificate): string {
  return subject.replace(/^CN=/, '');
}

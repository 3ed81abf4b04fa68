/**
 * The certificate that an operator brings for an ingress, from whichever authority: the chain in PEM, with its private key. All that would
 * have clients or nginx refuse it is said at once, before any of it comes into use.
 */
import { createHash, type KeyObject, X509Certificate } from 'node:crypto';
import { givenKeyType, mismatchOf, readGivenKey } from './given-key.ts';
import { givenNames, signsHandshakes } from './given-names.ts';
import { pemBlocks, pemLabels, pemOf } from './pem.ts';
import { renewalIdOf } from './renewal-id.ts';

/** Times in milliseconds. */
export interface GivenRead {
  /** The certificate and its issuers, in PEM, without a root at its end: clients have that, or do not believe it. */
  readonly chain: string;
  /** PKCS #8 in PEM. A secret. */
  readonly private_key: string;
  /** Host names and addresses that it is for; `*.example.net` is for one label. */
  readonly names: readonly string[];
  readonly subject: string;
  readonly issuer: string;
  readonly serial: string;
  /** SHA-256 of the certificate, in hexadecimal. */
  readonly fingerprint: string;
  readonly key_type: string;
  readonly not_before_ms: number;
  readonly not_after_ms: number;
  /** When the first of its issuers ends. Null: it has none with it. */
  readonly issuers_not_after_ms: number | null;
  readonly self_signed: boolean;
  /** What its authority is asked by when to renew it. Null: it cannot be asked. */
  readonly renewal_id: string | null;
}

/** Something that is wrong, and where. `detail` goes on after what it is about. */
interface GivenFault {
  readonly part: 'chain' | 'private_key';
  readonly detail: string;
}

export type GivenResult = GivenRead | { readonly faults: readonly GivenFault[] };

/** Ours: public authorities have two or three. */
const MAX_CERTIFICATES = 8;
/** Signatures that clients of today believe: SHA-2 with RSA, RSA-PSS and ECDSA, and Ed25519. */
const SIGNATURES = new Set([
  '1.2.840.113549.1.1.10',
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
  '1.3.101.112',
]);
const SERVER_USAGES = ['1.3.6.1.5.5.7.3.1', '2.5.29.37.0'];
const LEAST_RSA_BITS = 2048;
const MAX_NAME = 200;

export function readGiven(
  given: { readonly chain: string; readonly private_key: string },
  now_ms: number,
): GivenResult {
  const faults: GivenFault[] = [];
  const read_key = readGivenKey(given.private_key);
  if ('fault' in read_key) faults.push({ part: 'private_key', detail: read_key.fault });
  const certificates = certificatesIn(given.chain, faults);
  const [leaf, ...issuers] = certificates;
  if (leaf === undefined) return { faults };
  const add = (detail: string) => void faults.push({ part: 'chain', detail });
  const key_type = checkLeaf(leaf, certificates.length, add);
  checkOrder(certificates, add);
  for (const [index, certificate] of certificates.entries()) checkDates(certificate, index, now_ms, add);
  const names = givenNames(leaf);
  if (names.length === 0) add('has no host name among its alternative names, which is where clients look for it');
  if ('key' in read_key) checkKey(read_key.key, certificates, faults);
  if (faults.length > 0 || !('key' in read_key)) return { faults };
  const sent = issuers.filter((issuer) => !isSelfSigned(issuer));
  return {
    chain: [leaf, ...sent].map(({ raw }) => pemOf('CERTIFICATE', raw)).join(''),
    private_key: read_key.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    names,
    subject: onOneLine(leaf.subject),
    issuer: onOneLine(leaf.issuer),
    serial: leaf.serialNumber.toLowerCase(),
    fingerprint: createHash('sha256').update(leaf.raw).digest('hex'),
    key_type,
    not_before_ms: leaf.validFromDate.getTime(),
    not_after_ms: leaf.validToDate.getTime(),
    issuers_not_after_ms: sent.length === 0 ? null : Math.min(...sent.map(({ validToDate }) => validToDate.getTime())),
    self_signed: isSelfSigned(leaf),
    renewal_id: renewalIdOf(leaf),
  };
}

function certificatesIn(text: string, faults: GivenFault[]): readonly X509Certificate[] {
  const refuse = (detail: string) => {
    faults.push({ part: 'chain', detail });
    return [];
  };
  const labels = pemLabels(text);
  if (labels.some((label) => label.endsWith('PRIVATE KEY'))) return refuse('has a private key in it; give that apart');
  const blocks = pemBlocks('CERTIFICATE', text);
  if (blocks.length === 0) return refuse('is not PEM: it begins with -----BEGIN CERTIFICATE-----');
  const other = labels.find((label) => label !== 'CERTIFICATE');
  if (other !== undefined) return refuse(`has a ${other} in it, which is no certificate`);
  if (blocks.length !== labels.length) return refuse('has a certificate in it that is cut off');
  if (blocks.length > MAX_CERTIFICATES) {
    return refuse(`has ${blocks.length} certificates; ${MAX_CERTIFICATES} are possible`);
  }
  const read: X509Certificate[] = [];
  for (const [index, block] of blocks.entries()) {
    try {
      const certificate = new X509Certificate(block);
      void certificate.publicKey; // which is read only now
      read.push(certificate);
    } catch {
      refuse(`has a certificate that cannot be read: number ${index + 1}`);
    }
  }
  return read.length === blocks.length ? read : [];
}

/** Answers with the kind of its key. */
function checkLeaf(leaf: X509Certificate, length: number, add: (detail: string) => void): string {
  if (leaf.ca && (length > 1 || !isSelfSigned(leaf))) {
    add('begins with the certificate of an authority; that of the host name comes first');
  }
  const kind = givenKeyType(leaf.publicKey);
  if ('fault' in kind) add(`has ${kind.fault}`);
  const usages = leaf.keyUsage as readonly string[] | undefined; // extended ones, whatever it is called
  if (usages !== undefined && !usages.some((usage) => SERVER_USAGES.includes(usage))) {
    add('is not for servers: its extended key usage lacks serverAuth');
  }
  if (!signsHandshakes(leaf)) add('is not for servers: its key usage lacks digitalSignature');
  return 'key_type' in kind ? kind.key_type : '';
}

function checkOrder(certificates: readonly X509Certificate[], add: (detail: string) => void): void {
  const seen = new Set<string>();
  for (const [index, certificate] of certificates.entries()) {
    if (seen.has(certificate.fingerprint256)) {
      add(`has certificate ${numbered(certificate, index)} twice`);
      return;
    }
    seen.add(certificate.fingerprint256);
  }
  for (const [index, certificate] of certificates.entries()) {
    if (!isSelfSigned(certificate) && !SIGNATURES.has(certificate.signatureAlgorithmOid ?? '')) {
      add(`has a signature that clients refuse, ${certificate.signatureAlgorithm}, in ${numbered(certificate, index)}`);
    }
    const issuer = certificates[index + 1];
    if (issuer === undefined) continue;
    if (!isIssuedBy(certificate, issuer)) {
      add(`is in no order: ${numbered(issuer, index + 1)} did not sign ${numbered(certificate, index)}`);
    }
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = issuer.publicKey;
    if (type === 'rsa' && (details?.modulusLength ?? 0) < LEAST_RSA_BITS) {
      add(`has an RSA key of ${details?.modulusLength} bits in ${numbered(issuer, index + 1)}, which clients refuse`);
    }
  }
}

function checkDates(certificate: X509Certificate, index: number, now_ms: number, add: (detail: string) => void): void {
  const { validFromDate: from, validToDate: to } = certificate;
  if (index > 0 && isSelfSigned(certificate)) return; // it is not sent
  const which = index === 0 ? '' : `: ${numbered(certificate, index)}`;
  const begin = index === 0 ? '' : 'has a certificate that ';
  if (to.getTime() <= now_ms) add(`${begin}expired at ${utc(to)}${which}`);
  else if (from.getTime() > now_ms) add(`${begin}is not valid before ${utc(from)}${which}`);
}

function checkKey(key: KeyObject, certificates: readonly X509Certificate[], faults: GivenFault[]): void {
  const [leaf] = certificates;
  const mismatch = leaf === undefined ? undefined : mismatchOf(key, leaf);
  if (mismatch === undefined) return;
  const other = certificates.findIndex((certificate) => certificate.checkPrivateKey(key));
  const hint = other > 0 ? `: it is for certificate ${other + 1} of the chain, which has to be the first` : '';
  faults.push({ part: 'private_key', detail: `${mismatch}${hint}` });
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false; // an algorithm that is not known proves nothing
  }
}

function isSelfSigned(certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey);
  } catch {
    return false;
  }
}

function numbered(certificate: X509Certificate, index: number): string {
  return `number ${index + 1} (${onOneLine(certificate.subject)})`;
}

/** As people read it. What cannot be seen is left out: an authority of a company may write what it likes. */
function onOneLine(name: string | undefined): string {
  const line = (name ?? '').replaceAll('\n', ', ').replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '');
  return line.length > MAX_NAME ? `${line.slice(0, MAX_NAME)}…` : line || 'no name';
}

function utc(date: Date): string {
  return date.toISOString().replace('.000', '');
}

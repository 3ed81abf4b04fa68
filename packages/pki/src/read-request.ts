import { createPublicKey } from 'node:crypto';
import { plainAddress } from '@meshwork/addresses';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  BasicConstraints,
  ExtendedKeyUsage,
  type GeneralName,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_kp_clientAuth,
  id_kp_serverAuth,
  KeyUsage,
  SubjectAlternativeName,
} from '@peculiar/asn1-x509';
import type { CertificateNames } from './certificate.ts';
import { derOf } from './pem.ts';
import { x509 } from './x509.ts';

export type KeyType = 'EC P-256' | 'EC P-384' | 'Ed25519' | 'RSA 2048' | 'RSA 3072' | 'RSA 4096';

/** What a request asks for. Its holder has the private key: that was proven. */
export interface RequestRead {
  /** SPKI in DER. */
  readonly public_key: Buffer<ArrayBuffer>;
  readonly key_type: KeyType;
  /** Null: the subject is empty. */
  readonly common_name: string | null;
  readonly names: CertificateNames;
  /** Extended key usages that it asks for, by OID. Null: it does not say. */
  readonly usages: readonly string[] | null;
}

/** `faults`: everything that is wrong with it, in words that go on after "the request". */
export type RequestResult = RequestRead | { readonly faults: readonly string[] };

/** As many names as one certificate may have. */
const MAX_NAMES = 100;
const LABELS = ['CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST'];
const COMMON_NAME = '2.5.4.3';
const RSA_BITS = [2048, 3072, 4096];
const CURVES: Readonly<Record<string, KeyType>> = { prime256v1: 'EC P-256', secp384r1: 'EC P-384' };
/** Of key usages, those that certificates of ours have. */
const LEAF_USAGES = 0b101; // digitalSignature and keyEncipherment

/** Reads a certificate request (PKCS #10) in PEM, and says all that is wrong with it. */
export async function readRequest(pem: string): Promise<RequestResult> {
  const der = derOf(LABELS, pem);
  if (der === undefined) return { faults: ['is not PEM with one CERTIFICATE REQUEST in it'] };
  let request: x509.Pkcs10CertificateRequest;
  try {
    request = new x509.Pkcs10CertificateRequest(der);
  } catch {
    return { faults: ['cannot be read as PKCS #10'] };
  }
  const faults = new Set<string>();
  const key = keyOf(request, faults);
  if (key === undefined) return { faults: [...faults] };
  if (!(await isSigned(request))) return { faults: ['is not signed by the key that is in it'] };
  try {
    const common_name = commonNameOf(request, faults);
    const names = namesOf(request, faults);
    const usages = usagesOf(request, faults);
    return faults.size > 0 ? { faults: [...faults] } : { ...key, common_name, names, usages };
  } catch {
    return { faults: [...faults, 'has an extension that cannot be read'] };
  }
}

function keyOf(request: x509.Pkcs10CertificateRequest, faults: Set<string>) {
  try {
    const public_key = Buffer.from(request.publicKey.rawData);
    const key = createPublicKey({ key: public_key, format: 'der', type: 'spki' });
    const { modulusLength = 0, namedCurve = '', publicExponent } = key.asymmetricKeyDetails ?? {};
    if (key.asymmetricKeyType === 'ed25519') return { public_key, key_type: 'Ed25519' as const };
    if (key.asymmetricKeyType === 'ec') {
      const key_type = CURVES[namedCurve];
      if (key_type !== undefined) return { public_key, key_type };
      faults.add(`has a key on the curve ${namedCurve}; take P-256 or P-384`);
    } else if (key.asymmetricKeyType === 'rsa') {
      if (!RSA_BITS.includes(modulusLength)) {
        faults.add(`has an RSA key of ${modulusLength} bits; take 2048, 3072 or 4096`);
      } else if (publicExponent !== 65_537n) {
        faults.add(`has an RSA key with the exponent ${publicExponent}; take 65537`);
      } else return { public_key, key_type: `RSA ${modulusLength}` as KeyType };
    } else faults.add(`has a key of type ${key.asymmetricKeyType}; take EC, Ed25519 or RSA`);
  } catch {
    faults.add('has a key that cannot be read');
  }
  return undefined;
}

async function isSigned(request: x509.Pkcs10CertificateRequest): Promise<boolean> {
  try {
    const { hash } = request.signatureAlgorithm as { readonly hash?: { readonly name: string } };
    if (hash?.name === 'SHA-1') return false;
    return await request.verify();
  } catch {
    return false; // an algorithm that proves nothing to us
  }
}

function commonNameOf(request: x509.Pkcs10CertificateRequest, faults: Set<string>): string | null {
  const found: string[] = [];
  for (const rdn of request.subjectName.toJSON()) {
    for (const [type, values] of Object.entries(rdn)) {
      if (type !== 'CN' && type !== COMMON_NAME)
        faults.add(`has ${type} in its subject; only a common name can be there`);
      else found.push(...values.map((value) => (typeof value === 'string' ? value : Object.values(value).join(''))));
    }
  }
  if (found.length > 1) faults.add('has several common names');
  return found[0] ?? null;
}

/** Dispatches on the extensions that it asks for. Anything that a certificate of ours would not have is a fault. */
function namesOf(request: x509.Pkcs10CertificateRequest, faults: Set<string>): CertificateNames {
  const names = { dns: new Set<string>(), addresses: new Set<string>(), uris: new Set<string>() };
  let count = 0;
  const seen = new Set<string>();
  for (const { type, value } of request.extensions) {
    if (seen.has(type)) faults.add(`has the extension ${type} twice`);
    seen.add(type);
    if (type === id_ce_subjectAltName) {
      const all = AsnConvert.parse(value, SubjectAlternativeName);
      count += all.length;
      if (count > MAX_NAMES) faults.add(`asks for ${count} names; ${MAX_NAMES} are possible`);
      else for (const name of all) addName(names, name, faults);
    } else if (type === id_ce_basicConstraints) {
      if (AsnConvert.parse(value, BasicConstraints).cA) faults.add('asks for an authority (CA:TRUE)');
    } else if (type === id_ce_keyUsage) {
      const wanted = AsnConvert.parse(value, KeyUsage).toNumber();
      if ((wanted & ~LEAF_USAGES) !== 0) {
        faults.add('asks for key usages other than digitalSignature and keyEncipherment');
      }
    } else if (type !== id_ce_extKeyUsage && type !== SUBJECT_KEY_ID) {
      faults.add(`asks for the extension ${type}`);
    }
  }
  return { dns: [...names.dns], addresses: [...names.addresses], uris: [...names.uris] };
}
const SUBJECT_KEY_ID = '2.5.29.14'; // we make our own, which says the same

interface FoundNames {
  readonly dns: Set<string>;
  readonly addresses: Set<string>;
  readonly uris: Set<string>;
}

function addName(names: FoundNames, name: GeneralName, faults: Set<string>): void {
  const { dNSName, iPAddress, uniformResourceIdentifier: uri } = name;
  if (dNSName !== undefined) {
    const fault = dnsFault(dNSName);
    if (fault === undefined) names.dns.add(dNSName.toLowerCase());
    else faults.add(`asks for the DNS name ${shown(dNSName)}, ${fault}`);
  } else if (iPAddress !== undefined) {
    const address = plainAddress(iPAddress);
    if (address !== null) names.addresses.add(address);
    else faults.add(`asks for the address ${shown(iPAddress)}, which is none`);
  } else if (uri !== undefined) {
    if (/^spiffe:\/\/[a-z0-9._-]+(?:\/[A-Za-z0-9._-]+)+$/.test(uri) && uri.length <= 2048) names.uris.add(uri);
    else faults.add(`asks for the URI ${shown(uri)}, which is no SPIFFE id`);
  } else {
    faults.add('asks for a name that is neither a DNS name, an address nor a SPIFFE id');
  }
}

function dnsFault(name: string): string | undefined {
  if (name.startsWith('*') || name.includes('*')) return 'a wildcard';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
  if (/[\u0000-\u0020\u007f]/.test(name)) return 'which has control characters or spaces';
  if (!/^[\u0021-\u007e]*$/.test(name)) return 'which is not ASCII; write it in its ASCII form (xn--…)';
  if (name.length > 253) return 'which is longer than 253 characters';
  const isSound =
    /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/.test(
      name,
    );
  return isSound ? undefined : 'which is no host name';
}

function usagesOf(request: x509.Pkcs10CertificateRequest, faults: Set<string>): readonly string[] | null {
  const extension = request.extensions.find(({ type }) => type === id_ce_extKeyUsage);
  if (extension === undefined) return null;
  const usages = [...AsnConvert.parse(extension.value, ExtendedKeyUsage)];
  for (const usage of usages) {
    if (usage !== id_kp_serverAuth && usage !== id_kp_clientAuth)
      faults.add(`asks for the extended key usage ${usage}`);
  }
  return usages.map((usage) => (usage === id_kp_serverAuth ? 'server' : 'client'));
}

/** As JSON, so that what cannot be seen can be seen. Bounded: it stands in an answer. */
function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

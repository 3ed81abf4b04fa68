/** The private key of a certificate that an operator brings, as certbot, acme.sh and OpenSSL write it. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify, type X509Certificate } from 'node:crypto';
import { pemLabels } from './pem.ts';

/** PKCS #8, and the forms of before. */
const KEY_LABELS = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY'];
/** OpenSSL writes it before a key in the form of SEC 1. It says nothing that the key does not. */
const BESIDE = ['EC PARAMETERS'];
const RSA_BITS = { least: 2048, most: 4096 };
const CURVES: Readonly<Record<string, string>> = { prime256v1: 'EC P-256', secp384r1: 'EC P-384' };
const PROBE = Buffer.from('What signs this has the private key of the certificate.');

/** In words that go on after "the private key", and never with a part of it. */
type KeyRead = { readonly key: KeyObject } | { readonly fault: string };

export function readGivenKey(pem: string): KeyRead {
  const labels = pemLabels(pem).filter((label) => !BESIDE.includes(label));
  const [label, ...more] = labels;
  if (label === undefined) return { fault: 'is not PEM: it begins with -----BEGIN PRIVATE KEY-----' };
  if (labels.includes('ENCRYPTED PRIVATE KEY') || /^Proc-Type: 4,ENCRYPTED/m.test(pem)) {
    return { fault: 'is encrypted; decrypt it first: openssl pkey -in FILE' };
  }
  if (labels.length > 1 && labels.every((one) => KEY_LABELS.includes(one))) {
    return { fault: `is ${labels.length} keys; give the one that the certificate is for` };
  }
  if (more.length > 0) return { fault: `has something beside it: ${more.map((one) => `a ${one}`).join(', ')}` };
  if (!KEY_LABELS.includes(label)) return { fault: `is a ${label}, and no private key` };
  try {
    return { key: createPrivateKey(pem) };
  } catch {
    return { fault: 'cannot be read' }; // the words of the library may have a part of it in them
  }
}

/** Undefined: it proves that it is for the certificate. A key whose parts contradict each other would fail with the first client. */
export function mismatchOf(key: KeyObject, certificate: X509Certificate): string | undefined {
  if (!certificate.checkPrivateKey(key)) return 'is for another certificate';
  try {
    const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
    const signed = sign(digest, PROBE, key);
    return verify(digest, PROBE, createPublicKey(certificate.publicKey.export({ type: 'spki', format: 'pem' })), signed)
      ? undefined
      : 'is broken: what it signs does not fit the certificate';
  } catch {
    return 'is broken: it cannot sign';
  }
}

/** The kind of a key that gateways and clients take, such as `RSA 2048`. Or what is wrong with it, after "has". */
export function givenKeyType(public_key: KeyObject): { readonly key_type: string } | { readonly fault: string } {
  const { modulusLength = 0, namedCurve = '' } = public_key.asymmetricKeyDetails ?? {};
  const wanted = 'take RSA with 2048 to 4096 bits, P-256, P-384 or Ed25519';
  if (public_key.asymmetricKeyType === 'ed25519') return { key_type: 'Ed25519' };
  if (public_key.asymmetricKeyType === 'ec') {
    const key_type = CURVES[namedCurve];
    return key_type === undefined ? { fault: `a key on the curve ${namedCurve}; ${wanted}` } : { key_type };
  }
  if (public_key.asymmetricKeyType !== 'rsa') {
    return { fault: `a key of type ${public_key.asymmetricKeyType}; ${wanted}` };
  }
  if (modulusLength < RSA_BITS.least || modulusLength > RSA_BITS.most) {
    return { fault: `an RSA key of ${modulusLength} bits; ${wanted}` };
  }
  return { key_type: `RSA ${modulusLength}` };
}

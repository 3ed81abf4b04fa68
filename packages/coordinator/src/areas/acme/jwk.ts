import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import type { PublicJwk } from '../../kinds/acme.ts';
import { AcmeError } from './acme-error.ts';

const RSA_BITS = { least: 2048, most: 4096 };

/** A key that a request is signed with. */
export interface AccountKey {
  readonly jwk: PublicJwk;
  readonly key: KeyObject;
  /** The one algorithm that it signs with. */
  readonly algorithm: Algorithm;
  /** RFC 7638. */
  readonly thumbprint: string;
}

export const ALGORITHMS = ['ES256', 'ES384', 'EdDSA', 'RS256'] as const;
type Algorithm = (typeof ALGORITHMS)[number];

/** Reads the key in a request. Throws `badPublicKey`. */
export function readJwk(given: unknown): AccountKey {
  const jwk = publicPart(given);
  if (jwk === undefined) throw bad('The key is of no type that is taken: P-256, P-384, Ed25519 or RSA.');
  return openJwk(jwk);
}

/** The key of an account, or one whose members have the right types. */
export function openJwk(jwk: PublicJwk): AccountKey {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    throw bad('The key cannot be read.');
  }
  if (jwk.kty === 'RSA') ensureSound(key);
  return { jwk, key, algorithm: algorithmOf(jwk), thumbprint: thumbprintOf(jwk) };
}

/** Of the same key in another form, such as that of a certificate. */
export function thumbprintOfKey(key: KeyObject): string | undefined {
  const jwk = publicPart(key.export({ format: 'jwk' }));
  return jwk === undefined ? undefined : thumbprintOf(jwk);
}

function ensureSound(key: KeyObject): void {
  const { modulusLength = 0, publicExponent } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < RSA_BITS.least || modulusLength > RSA_BITS.most) {
    throw bad(`An RSA key has ${RSA_BITS.least} to ${RSA_BITS.most} bits, this one ${modulusLength}.`);
  }
  if (publicExponent !== 65_537n) throw bad('An RSA key has the exponent 65537.');
}

/** Nothing but the key is kept; a private one is refused. */
function publicPart(given: unknown): PublicJwk | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { kty, crv, x, y, n, e, d } = given as Readonly<Record<string, unknown>>;
  if (d !== undefined)
    throw bad('The request has a private key in it. Make a new one: this one is not private any more.');
  const isText = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,1024}$/.test(value);
  if (kty === 'EC' && (crv === 'P-256' || crv === 'P-384') && isText(x) && isText(y)) return { kty, crv, x, y };
  if (kty === 'RSA' && isText(n) && isText(e)) return { kty, n, e };
  if (kty === 'OKP' && crv === 'Ed25519' && isText(x)) return { kty, crv, x };
  return undefined;
}

function algorithmOf(jwk: PublicJwk): Algorithm {
  if (jwk.kty === 'RSA') return 'RS256';
  if (jwk.kty === 'OKP') return 'EdDSA';
  return jwk.crv === 'P-256' ? 'ES256' : 'ES384';
}

/** The members that a key needs, in order of their names. */
function thumbprintOf(jwk: PublicJwk): string {
  const members = Object.entries(jwk).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify(Object.fromEntries(members)), 'base64url');
}

function bad(detail: string): AcmeError {
  return new AcmeError('badPublicKey', detail);
}

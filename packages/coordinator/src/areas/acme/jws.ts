/** Requests are signed (RFC 8555, 6.2): JSON with a protected header, a payload and a signature. `jose` verifies it. */
import type { KeyObject } from 'node:crypto';
import { flattenedVerify } from 'jose';
import { AcmeError, malformed } from './acme-error.ts';
import { ALGORITHMS } from './jwk.ts';

interface Jws {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
}

/** The protected header, as it stands there. */
export interface Header {
  readonly alg: string;
  readonly url: string;
  readonly nonce: string | undefined;
  readonly jwk: unknown;
  readonly kid: string | undefined;
}

const MEMBERS = ['payload', 'protected', 'signature'] as const;

/** Reads what is signed, without believing it. */
export function readJws(text: string): Jws {
  const given = parsed(text, 'The body is not JSON.');
  return jwsOf(given, 'The request');
}

export function jwsOf(given: unknown, what: string): Jws {
  if (typeof given !== 'object' || given === null) throw malformed(`${what} is not a JWS.`);
  const jws = given as Readonly<Record<string, unknown>>;
  const names = Object.keys(jws).sort();
  if (names.join() !== MEMBERS.join() || !MEMBERS.every((name) => typeof jws[name] === 'string')) {
    throw malformed(`${what} is a JWS in flattened form: protected, payload and signature, and nothing else.`);
  }
  return jws as unknown as Jws;
}

export function headerOf({ protected: text }: Jws): Header {
  const header = parsed(decoded(text), 'The protected header is not JSON.');
  if (typeof header !== 'object' || header === null) throw malformed('The protected header is not an object.');
  const { alg, url, nonce, jwk, kid, crit, b64 } = header as Readonly<Record<string, unknown>>;
  if (crit !== undefined || b64 !== undefined) throw malformed('The protected header has extensions.');
  if (typeof alg !== 'string') throw malformed('The protected header has no alg.');
  if (typeof url !== 'string') throw malformed('The protected header has no url.');
  if (nonce !== undefined && typeof nonce !== 'string') throw malformed('The nonce is not a text.');
  if (kid !== undefined && typeof kid !== 'string') throw malformed('The kid is not a text.');
  return { alg, url, nonce, jwk, kid };
}

/** The payload, when the signature is right. Empty: the request only reads (RFC 8555, 6.3). */
export async function verifiedPayload(
  jws: Jws,
  key: KeyObject | Uint8Array,
  algorithms: readonly string[],
): Promise<string> {
  try {
    const { payload } = await flattenedVerify({ ...jws }, key, { algorithms: [...algorithms] });
    return new TextDecoder('utf-8', { fatal: true }).decode(payload);
  } catch {
    // Whatever jose has against it: one answer, which teaches an attacker nothing.
    throw malformed('The signature does not fit.');
  }
}

export function ensureAlgorithm(alg: string, wanted: string): void {
  if (alg === wanted) return;
  const detail = `The request is signed with ${JSON.stringify(alg.slice(0, 20))}; this key signs with ${wanted}.`;
  throw new AcmeError('badSignatureAlgorithm', detail, { members: { algorithms: ALGORITHMS } });
}

/** As an object. Throws where it is none. */
export function objectOf(text: string): Readonly<Record<string, unknown>> {
  const given = parsed(text, 'The payload is not JSON.');
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw malformed('The payload is not an object.');
  }
  return given as Readonly<Record<string, unknown>>;
}

function parsed(text: string, otherwise: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(otherwise);
  }
}

function decoded(base64url: string): string {
  if (!/^[\w-]+$/.test(base64url)) throw malformed('The protected header is not base64url.');
  return Buffer.from(base64url, 'base64url').toString('utf8');
}

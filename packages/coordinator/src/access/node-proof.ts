import { createPublicKey, type KeyObject } from 'node:crypto';
import { isId, MAX_PROOF_S, MAX_SKEW_S, type NodeId, PROOF_AUDIENCE } from '@meshwork/contract';
import { compactVerify, decodeJwt, errors, type JWTPayload } from 'jose';
import { ANONYMOUS } from '../mesh/actor.ts';
import { meshIdOf } from '../mesh/mesh-id.ts';
import type { Stored, View } from '../mesh/model.ts';
import type { Transaction } from '../mesh/transaction.ts';
import { Refused } from './authenticate.ts';

/** What a good proof says. */
interface Proof {
  readonly node: Stored<'node'>;
  readonly jti: string;
  readonly from_s: number;
  readonly until_s: number;
  /** Whether it was made for this mesh, and not for any: see `PROOF_AUDIENCE`. */
  readonly own_audience: boolean;
}

/** A proof is used once, and no agent needs more of them than this within two minutes. */
const USED_AT_ONCE = 32;

/**
 * Checks a JWT that a node signed with its identity key. Only EdDSA is ever looked at: what the JWT itself says about
 * algorithms and keys is the caller's choice, and decides nothing. Throws `Refused`.
 */
export async function checkProof(view: View, text: string, now_ms: number): Promise<Proof> {
  const node = nodeNamedIn(view, text);
  const claims = await claimsSignedBy(identityKeyOf(node.body.identity_key), text);
  const { sub, aud, iat, exp, jti, ...others } = claims;
  const mesh = meshIdOf(view);
  if (sub !== node.id) throw invalidProof('Its sub must be the node.');
  if (aud !== PROOF_AUDIENCE && (mesh === undefined || aud !== mesh)) {
    throw invalidProof('Its aud must be the id of this mesh.');
  }
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) throw invalidProof(`It has a claim that means nothing here: ${shown(stranger)}.`);
  if (typeof iat !== 'number' || typeof exp !== 'number' || !(exp > iat) || exp - iat > MAX_PROOF_S) {
    throw invalidProof(`Its iat and exp must be at most ${MAX_PROOF_S} s apart.`);
  }
  if (typeof jti !== 'string' || jti.length < 8 || jti.length > 64)
    throw invalidProof('Its jti must have 8 to 64 characters.');
  ensureOnTime(iat, exp, now_ms / 1000);
  const proof = { node, jti, from_s: iat, until_s: exp, own_audience: aud !== PROOF_AUDIENCE };
  ensureAudience(view, proof);
  return proof;
}

/**
 * Notes that the proof is used, inside a transaction. Throws `Refused` when it was before. Its time is looked at once
 * more: it may have run out while the transaction waited, and what has run out is not remembered as used.
 */
export function useProof(tx: Transaction, proof: Proof): void {
  const { node, jti, from_s, until_s } = proof;
  const now_s = tx.now_ms / 1000;
  ensureAudience(tx, proof);
  ensureOnTime(from_s, until_s, now_s);
  const used = (tx.get('proof', node.id)?.body.used ?? []).filter((one) => now_s - one.until_s <= MAX_SKEW_S);
  if (used.some((one) => one.jti === jti)) {
    throw new Refused(ANONYMOUS, 'proof_used', 'A proof with this jti was used before.');
  }
  if (used.length >= USED_AT_ONCE) throw invalidProof('Too many proofs of this node are being used at once.');
  const bound = proof.own_audience || tx.get('proof', node.id)?.body.own_audience === true;
  tx.put('proof', node.id, { used: [...used, { jti, until_s }], ...(bound ? { own_audience: true } : {}) });
}

/**
 * An agent that has used the id of the mesh once knows it: a proof without it was made by another party, or for another
 * mesh.
 */
function ensureAudience(view: View, { node, own_audience }: Pick<Proof, 'node' | 'own_audience'>): void {
  if (own_audience || view.get('proof', node.id)?.body.own_audience !== true) return;
  throw invalidProof(
    `Its aud must be the id of this mesh, which this node has used before, and not ${PROOF_AUDIENCE}.`,
  );
}

/** Unsigned so far: it only says whose key to check with. One answer for whatever leads to no node. */
function nodeNamedIn(view: View, text: string): Stored<'node'> {
  let sub: unknown;
  try {
    ({ sub } = decodeJwt(text));
  } catch {
    throw invalidProof('It is not a JWT.');
  }
  const node = typeof sub === 'string' && isId('node', sub) ? view.get('node', sub satisfies NodeId) : undefined;
  if (node === undefined || node.body.removed_at !== null) throw invalidProof(NOT_SIGNED);
  return node;
}

const NOT_SIGNED = 'It is not signed with the identity key of its node.';

async function claimsSignedBy(key: KeyObject, text: string): Promise<JWTPayload> {
  try {
    const { protectedHeader } = await compactVerify(text, key, { algorithms: ['EdDSA'] });
    ensurePlainHeader(protectedHeader);
    return decodeJwt(text);
  } catch (error) {
    if (error instanceof errors.JOSEError) throw invalidProof(NOT_SIGNED);
    throw error;
  }
}

/** `crit` would require us to understand more than we do; any other member was meant for another recipient. */
function ensurePlainHeader(header: object): void {
  const stranger = Object.keys(header).find((name) => name !== 'alg' && name !== 'typ');
  if (stranger !== undefined)
    throw invalidProof(`Its header has a parameter that means nothing here: ${shown(stranger)}.`);
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 40));
}

function ensureOnTime(iat: number, exp: number, now_s: number): void {
  const ahead_s = iat - now_s;
  const late_s = now_s - exp;
  if (ahead_s > MAX_SKEW_S) throw skewed(`The proof was made ${Math.round(ahead_s)} s in the future`, 'ahead of');
  if (late_s > MAX_SKEW_S) throw skewed(`The proof ran out ${Math.round(late_s)} s ago`, 'behind');
}

function skewed(what: string, how: string): Refused {
  return new Refused(ANONYMOUS, 'clock_skewed', `${what}: it is old, or the clock of the node is ${how} ours.`);
}

function invalidProof(detail: string): Refused {
  return new Refused(ANONYMOUS, 'proof_invalid', `The proof does not hold. ${detail}`);
}

/** The first bytes of an Ed25519 public key in SPKI; the raw 32 follow. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const keys = new Map<string, KeyObject>();
const KEYS_KEPT = 20_000;

function identityKeyOf(base64: string): KeyObject {
  let key = keys.get(base64);
  if (key === undefined) {
    key = createPublicKey({ key: Buffer.concat([SPKI, Buffer.from(base64, 'base64')]), format: 'der', type: 'spki' });
    if (keys.size >= KEYS_KEPT) keys.clear();
    keys.set(base64, key);
  }
  return key;
}

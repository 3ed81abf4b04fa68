import { randomUUID } from 'node:crypto';
import { PROOF_AUDIENCE } from '@meshwork/contract';
import { SignJWT } from 'jose';
import { type KeyPair, signingKey } from '../identity/keys.ts';

/** Ours: half of what the contract allows, so that a clock that is off a little still has room. */
const PROOF_S = 60;

/** Says "I am this node, now". Good for one exchange only: its `jti` is never used again. */
export function signProof(node: string, identity: KeyPair, nowMs: number): Promise<string> {
  const iat = Math.floor(nowMs / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'EdDSA' })
    .setSubject(node)
    .setAudience(PROOF_AUDIENCE)
    .setIssuedAt(iat)
    .setExpirationTime(iat + PROOF_S)
    .setJti(randomUUID())
    .sign(signingKey(identity));
}

import { randomUUID } from 'node:crypto';
import { PROOF_AUDIENCE } from '@meshwork/contract/vocabulary';
import { SignJWT } from 'jose';
import { type KeyPair, signingKey } from '../identity/keys.ts';

/** Ours: half of what the contract allows, so that a clock that is off a little still has room. */
const PROOF_S = 60;

/**
 * Says "I am this node, now", to one mesh. Good for one exchange only: its `jti` is never used again. `audience` absent: the
 * id of the mesh is not known, because it was enrolled by version 0.1.0.
 */
export function signProof(
  node: string,
  identity: KeyPair,
  nowMs: number,
  audience: string = PROOF_AUDIENCE,
): Promise<string> {
  const iat = Math.floor(nowMs / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'EdDSA' })
    .setSubject(node)
    .setAudience(audience)
    .setIssuedAt(iat)
    .setExpirationTime(iat + PROOF_S)
    .setJti(randomUUID())
    .sign(signingKey(identity));
}

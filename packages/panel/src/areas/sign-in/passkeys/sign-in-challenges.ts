import { randomBytes } from 'node:crypto';
import type { Seal } from '../../../seal.ts';

/** How long a passkey may take to answer. */
export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

/** How far the clocks of two panels may be apart. What is further ahead was written while a clock was wrong. */
export const CLOCK_SKEW_MS = 60_000;

const NONCE_BYTES = 16;
const TIME_BYTES = 8;
const HEAD_BYTES = NONCE_BYTES + TIME_BYTES;

/**
 * Challenges for people who are not signed in. The panel stores none: each carries its time and the panel's signature. So an
 * attacker cannot fill the memory with them, and every panel with the same key accepts those of the others. `use-passkey.ts`
 * makes each valid once.
 */
export class SignInChallenges {
  readonly #seal: Seal;

  /** `seal`: the one for `passkey-challenge`. */
  constructor(seal: Seal) {
    this.#seal = seal;
  }

  issue(now_ms: number): Uint8Array<ArrayBuffer> {
    const head = Buffer.alloc(HEAD_BYTES);
    randomBytes(NONCE_BYTES).copy(head);
    head.writeBigUInt64BE(BigInt(now_ms), NONCE_BYTES);
    return Uint8Array.from(Buffer.concat([head, this.#seal.sign(head)]));
  }

  /** When it was issued; undefined when it was not issued here, or not lately. */
  issuedAt(challenge: string, now_ms: number): number | undefined {
    const bytes = Buffer.from(challenge, 'base64url');
    const head = bytes.subarray(0, HEAD_BYTES);
    if (head.length < HEAD_BYTES || !this.#seal.isSigned(head, bytes.subarray(HEAD_BYTES))) return undefined;
    const issued_ms = Number(head.readBigUInt64BE(NONCE_BYTES));
    const age_ms = now_ms - issued_ms;
    return age_ms <= CHALLENGE_LIFETIME_MS && age_ms >= -CLOCK_SKEW_MS ? issued_ms : undefined;
  }
}

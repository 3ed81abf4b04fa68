import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { isSameBytes, type MasterKey, seal, unseal } from '@meshwork/service';

/** What the panel's key is used for. Each use has a derived key, so that a value made for one is worthless for another. */
type SealPurpose = 'totp' | 'oidc' | 'passkey-challenge';

/** Seals and signs for one purpose with a key that is derived from the panel's (HKDF-SHA-256). */
export class Seal {
  readonly #key: KeyObject;

  constructor(master: MasterKey, purpose: SealPurpose) {
    const derived = hkdfSync('sha256', master, Buffer.alloc(0), `meshwork panel ${purpose}`, 32);
    this.#key = createSecretKey(Buffer.from(derived));
  }

  /** `owner`: whom it belongs to, such as the id of a person; only with the same one it opens again. */
  seal(text: string, owner: string): string {
    return seal(this.#key, text, owner);
  }

  /** Throws for what this panel did not seal for this owner. */
  open(sealed: string, owner: string): string {
    return unseal(this.#key, sealed, owner);
  }

  /** 32 bytes that prove that the panel itself wrote something. */
  sign(bytes: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(bytes).digest();
  }

  isSigned(bytes: Buffer, signature: Buffer): boolean {
    return isSameBytes(signature, this.sign(bytes));
  }
}

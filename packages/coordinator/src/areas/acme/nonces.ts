import { createHmac, randomBytes } from 'node:crypto';
import { isSameBytes } from '@meshwork/service';

const ID_BYTES = 8;
const COUNT_BYTES = 6;
const MAC_BYTES = 16;
/** As many of the newest are good. Which of them were used takes a bit each. */
const WINDOW = 1 << 20;

/**
 * Each is good once (RFC 8555, 6.5). They are counted and signed rather than remembered: to request many costs us nothing, and
 * a restart makes all earlier ones void. Each coordinator knows its own; `nonce-messages.ts` asks the one that made it.
 */
export class Nonces {
  /** Of this coordinator, until it ends. */
  readonly id = randomBytes(ID_BYTES);
  readonly #key = randomBytes(32);
  readonly #used = new Uint8Array(WINDOW / 8);
  #next = 0;

  make(): string {
    const count = this.#next++;
    this.#mark(count, false); // it stands where one stood that is too old by now
    const bytes = Buffer.concat([this.id, Buffer.alloc(COUNT_BYTES)]);
    bytes.writeUIntBE(count, ID_BYTES, COUNT_BYTES);
    return Buffer.concat([bytes, this.#mac(bytes)]).toString('base64url');
  }

  /** Which coordinator made it. Undefined: none, it is malformed. */
  static makerOf(nonce: string): string | undefined {
    const bytes = Buffer.from(nonce, 'base64url');
    return bytes.length === ID_BYTES + COUNT_BYTES + MAC_BYTES ? bytes.toString('hex', 0, ID_BYTES) : undefined;
  }

  /** Whether it is one of ours that was not used yet. From now on it was. */
  redeem(nonce: string): boolean {
    const bytes = Buffer.from(nonce, 'base64url');
    const signed = bytes.subarray(0, ID_BYTES + COUNT_BYTES);
    if (!isSameBytes(bytes.subarray(signed.length), this.#mac(signed))) return false;
    const count = signed.readUIntBE(ID_BYTES, COUNT_BYTES);
    if (count < this.#next - WINDOW || this.#isUsed(count)) return false;
    this.#mark(count, true);
    return true;
  }

  #mac(bytes: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(bytes).digest().subarray(0, MAC_BYTES);
  }

  #isUsed(count: number): boolean {
    const at = count % WINDOW;
    return ((this.#used[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
  }

  #mark(count: number, used: boolean): void {
    const at = count % WINDOW;
    const bit = 1 << (at & 7);
    const byte = this.#used[at >> 3] ?? 0;
    this.#used[at >> 3] = used ? byte | bit : byte & ~bit;
  }
}

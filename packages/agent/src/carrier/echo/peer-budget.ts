import { TokenBucket } from '../token-bucket.ts';

interface Rate {
  readonly per_s: number;
  readonly at_once: number;
}

const MAX_KNOWN = 1024;

/** How much one address may have, and all of them together. One does not use up what is for the others. */
export class PeerBudget {
  readonly #one: Rate;
  readonly #all: TokenBucket;
  /** Of those that used it lately, the last one last. */
  readonly #each = new Map<string, TokenBucket>();

  constructor({ one, all }: { readonly one: Rate; readonly all: Rate }) {
    this.#one = one;
    this.#all = new TokenBucket(all.per_s, all.at_once);
  }

  /** False: not now. */
  take(address: string, now_ms: number = performance.now()): boolean {
    const one = this.#each.get(address) ?? new TokenBucket(this.#one.per_s, this.#one.at_once);
    this.#each.delete(address);
    this.#each.set(address, one);
    const [oldest] = this.#each.keys();
    if (this.#each.size > MAX_KNOWN && oldest !== undefined) this.#each.delete(oldest);
    return one.take(now_ms) && this.#all.take(now_ms);
  }
}

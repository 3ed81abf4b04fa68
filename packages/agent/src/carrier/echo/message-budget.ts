import { TokenBucket } from '../token-bucket.ts';

/** Ours: two ends that agree about a path say a handful of things, and all peers may do so at once after a change. */
const ALL = { per_s: 500, at_once: 1000 } as const;
const ONE = { per_s: 10, at_once: 30 } as const;
const MAX_KNOWN = 1024;

/** How many messages one address may send to us, or be sent, and all of them together. One does not use up what is for the others. */
export class MessageBudget {
  readonly #all = new TokenBucket(ALL.per_s, ALL.at_once);
  /** Of those that used it lately, the last one last. */
  readonly #each = new Map<string, TokenBucket>();

  /** False: not now. */
  take(address: string, now_ms: number = performance.now()): boolean {
    const one = this.#each.get(address) ?? new TokenBucket(ONE.per_s, ONE.at_once);
    this.#each.delete(address);
    this.#each.set(address, one);
    const [oldest] = this.#each.keys();
    if (this.#each.size > MAX_KNOWN && oldest !== undefined) this.#each.delete(oldest);
    return one.take(now_ms) && this.#all.take(now_ms);
  }
}

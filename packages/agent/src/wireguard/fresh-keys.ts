import type { Reading } from './driver.ts';

/**
 * Ours: how long a peer with a new key is given, before each time that it is begun anew. A handshake takes milliseconds, on
 * a busy machine some hundred; every pause is longer than the one before, so that a slow one is not cut short for ever.
 */
const ALONE_MS = [200, 600, 1500] as const;
/** When the node itself has a new key too, both sides would do so, and meet again. They take turns, by their keys. */
const FIRST_MS = [200, 2200] as const;
const SECOND_MS = [600] as const;
/** After that WireGuard has tried again by itself, and goes on doing so. */
const FRESH_MS = 5_000;

interface FreshKey {
  readonly added_ms: number;
  readonly begun_ms: number;
  /** How often it was begun anew. */
  readonly times: number;
}

/**
 * Peers that have a new key, had a session under the old one, and have none yet under the new one.
 *
 * A node that changes its key begins a handshake with the next packet that it sends, and its peer begins one when it hears
 * of the key. When the two meet on the way, each side answers the other, forgets what it began, and takes no answer to it:
 * both are lost. So is one that is sent to a peer that is not ready. WireGuard tries again after five seconds, and both may
 * meet once more; traffic stands still for as long. A peer that is taken away and added has no memory of what was sent to
 * it, and begins at once. It has no session that could be lost by that.
 */
export class FreshKeys {
  readonly #keys = new Map<string, FreshKey>();
  #own_since_ms = Number.NEGATIVE_INFINITY;

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(keys: Iterable<string>, now_ms: number): void {
    for (const key of keys) this.#keys.set(key, { added_ms: now_ms, begun_ms: now_ms, times: 0 });
  }

  /** The node itself has a new key. */
  ownChanged(now_ms: number): void {
    this.#own_since_ms = now_ms;
  }

  /** Those that are to be begun anew now. Costs what there are of them, not what there are of peers. */
  due({ public_key, peers }: Reading, now_ms: number): string[] {
    const due: string[] = [];
    for (const [key, { added_ms, begun_ms, times }] of this.#keys) {
      const wait_ms = this.#waits(public_key ?? '', key, now_ms)[times] ?? FRESH_MS;
      if (!isFresh(added_ms, now_ms) || peers.get(key)?.handshake_ms !== null) this.#keys.delete(key);
      else if (now_ms - begun_ms >= wait_ms) due.push(key);
    }
    return due;
  }

  begunAnew(keys: Iterable<string>, now_ms: number): void {
    for (const key of keys) {
      const { added_ms, times } = this.#keys.get(key) ?? { added_ms: now_ms, times: 0 };
      this.#keys.set(key, { added_ms, begun_ms: now_ms, times: times + 1 });
    }
  }

  keepOnly(wanted: ReadonlyMap<string, unknown>): void {
    for (const key of this.#keys.keys()) if (!wanted.has(key)) this.#keys.delete(key);
  }

  #waits(own: string, key: string, now_ms: number): readonly number[] {
    if (!isFresh(this.#own_since_ms, now_ms)) return ALONE_MS;
    return own < key ? FIRST_MS : SECOND_MS;
  }
}

/** One from the future is from before somebody set the clock back. */
function isFresh(since_ms: number, now_ms: number): boolean {
  return Math.abs(now_ms - since_ms) < FRESH_MS;
}

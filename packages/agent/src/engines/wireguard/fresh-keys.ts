import type { Reading } from './driver.ts';

/** A time in which a peer with a new key may be begun anew, once. In milliseconds after it was added. */
interface Turn {
  readonly from_ms: number;
  readonly until_ms: number;
}

/** After that WireGuard has tried again by itself, and goes on doing so. */
const FRESH_MS = 5_000;
/**
 * Ours: a handshake takes milliseconds, on a busy machine some hundred. Every turn is longer than the one before, so that a slow
 * one is not cut short for ever.
 */
const ALONE: readonly Turn[] = [
  { from_ms: 200, until_ms: 800 },
  { from_ms: 800, until_ms: 2300 },
  { from_ms: 2300, until_ms: FRESH_MS },
];
/**
 * Where both sides are new to each other, both would do so, and meet again. They take turns, by their keys. A turn that was not used
 * is over: the next one is the other side's.
 */
const SECOND: readonly Turn[] = [{ from_ms: 600, until_ms: 2200 }];
const FIRST: readonly Turn[] = [
  { from_ms: 200, until_ms: 600 },
  { from_ms: 2200, until_ms: FRESH_MS },
];

/** Ours: with more new peers at once, the machine may be busy with their handshakes, and is not to begin them all again. */
const MOST_AT_ONCE = 64;

interface FreshKey {
  /** Not only the peer is new to us: we are new to it. */
  readonly mutual: boolean;
  readonly added_ms: number;
  /** When it was begun anew last, after it was added. */
  readonly begun_after_ms: number;
}

interface DueKey {
  readonly key: string;
  /** No packet ever came from it: it may be at the next endpoint that it reports. */
  readonly elsewhere: boolean;
}

/**
 * Peers that were just added to WireGuard under a new key and have no session yet: two nodes that may reach each other from
 * now on, or one that changed its key in a conversation.
 *
 * Both sides receive the key at the same time, and both begin a handshake. When the two meet on the way, each side answers the
 * other, forgets what it began, and takes no answer to it: both are lost. So is one that is sent to a peer that is not ready.
 * WireGuard tries again after five seconds, and both may meet once more. A peer that is taken away and added has no memory
 * of what was sent to it, and begins at once. It has no session that could be lost by that.
 */
export class FreshKeys {
  readonly #keys = new Map<string, FreshKey>();
  #own_since_ms = Number.NEGATIVE_INFINITY;

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Peers that had a session under another key. */
  renewed(keys: Iterable<string>, now_ms: number): void {
    this.#add(keys, false, now_ms);
  }

  /** Peers that were not there before. */
  met(keys: readonly string[], now_ms: number): void {
    if (keys.length <= MOST_AT_ONCE) this.#add(keys, true, now_ms);
  }

  /** The node itself has a new key. */
  ownChanged(now_ms: number): void {
    this.#own_since_ms = now_ms;
  }

  /** Those that are to be begun anew now. Costs what there are of them, not what there are of peers. */
  due({ public_key, peers }: Reading, now_ms: number): DueKey[] {
    const due: DueKey[] = [];
    for (const [key, { mutual, added_ms, begun_after_ms }] of this.#keys) {
      const takeTurns = mutual || isFresh(this.#own_since_ms, now_ms);
      const turns = takeTurns ? ((public_key ?? '') < key ? FIRST : SECOND) : ALONE;
      const after_ms = now_ms - added_ms;
      const turn = turns.find(({ from_ms, until_ms }) => after_ms >= from_ms && after_ms < until_ms);
      const peer = peers.get(key);
      if (!isFresh(added_ms, now_ms) || peer === undefined || peer.handshake_ms !== null) this.#keys.delete(key);
      else if (turn !== undefined && begun_after_ms < turn.from_ms)
        due.push({ key, elsewhere: mutual && peer.rx_bytes === 0 });
    }
    return due;
  }

  begunAnew(keys: Iterable<string>, now_ms: number): void {
    for (const key of keys) {
      const fresh = this.#keys.get(key);
      if (fresh !== undefined) this.#keys.set(key, { ...fresh, begun_after_ms: now_ms - fresh.added_ms });
    }
  }

  keepOnly(wanted: ReadonlyMap<string, unknown>): void {
    for (const key of this.#keys.keys()) if (!wanted.has(key)) this.#keys.delete(key);
  }

  #add(keys: Iterable<string>, mutual: boolean, now_ms: number): void {
    for (const key of keys) this.#keys.set(key, { mutual, added_ms: now_ms, begun_after_ms: 0 });
  }
}

/** A time in the future is from before the clock was set back. */
function isFresh(since_ms: number, now_ms: number): boolean {
  return Math.abs(now_ms - since_ms) < FRESH_MS;
}

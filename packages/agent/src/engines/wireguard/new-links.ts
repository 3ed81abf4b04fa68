import type { Reading } from './driver.ts';

/** Ours: the far agent sends something at each look after a change. Two of its looks are less than this apart at first. */
const DEAF_AFTER_MS = 1_500;
/** Ours: how long a new link is looked after. */
const NEW_MS = 15_000;
/** Ours: with more new links at once, the machine may be busy with their handshakes. */
const MOST_AT_ONCE = 64;

interface NewLink {
  readonly since_ms: number;
  /** What had come from the peer when its handshake was first seen. Absent: no handshake was seen. */
  readonly first?: { readonly at_ms: number; readonly rx_bytes: number };
  /** Begun anew because nothing came. Once is enough: an agent of an older version sends nothing by itself for 25 seconds. */
  readonly revived: boolean;
}

interface DueLinks {
  /** Peers to send something, so that the far agent knows that this direction works. */
  readonly nudge: readonly string[];
  /** Peers with a handshake from which nothing comes. */
  readonly deaf: readonly string[];
}

/**
 * Links that were just made, until packets went both ways. A handshake alone does not prove that: when both ends begin at
 * the same moment, `wireguard-go` up to at least 0.0.20220316 can mix up an answer with the initiation that crosses it. It
 * then keeps a session under an index that the peer never received, and drops all that the peer sends, for 15 seconds or
 * more, while both ends report a handshake. The kernel checks for that. So each end sends a packet at each look after a
 * link was made, and an end that receives none begins anew.
 *
 * The packets also correct a place: one that was set in the moment in which the peer came from another one.
 */
export class NewLinks {
  readonly #links = new Map<string, NewLink>();

  met(keys: readonly string[], now_ms: number): void {
    if (keys.length > MOST_AT_ONCE) return;
    for (const key of keys) this.#links.set(key, { since_ms: now_ms, revived: false });
  }

  /** Costs what there are of them, not what there are of peers. */
  due({ peers }: Reading, now_ms: number): DueLinks {
    const [nudge, deaf]: [string[], string[]] = [[], []];
    for (const [key, link] of this.#links) {
      const peer = peers.get(key);
      const since_ms = link.first?.at_ms ?? link.since_ms;
      if (peer === undefined || Math.abs(now_ms - since_ms) >= NEW_MS) {
        this.#links.delete(key);
      } else if (peer.handshake_ms !== null) {
        nudge.push(key);
        const { rx_bytes } = peer;
        const first = link.first ?? { at_ms: now_ms, rx_bytes };
        this.#links.set(key, { ...link, first });
        const isDeaf = rx_bytes <= first.rx_bytes && now_ms - first.at_ms >= DEAF_AFTER_MS;
        if (isDeaf && !link.revived) deaf.push(key);
      }
    }
    return { nudge, deaf };
  }

  begunAnew(keys: readonly string[], now_ms: number): void {
    for (const key of keys) if (this.#links.has(key)) this.#links.set(key, { since_ms: now_ms, revived: true });
  }

  keepOnly(wanted: ReadonlyMap<string, unknown>): void {
    for (const key of this.#links.keys()) if (!wanted.has(key)) this.#links.delete(key);
  }
}

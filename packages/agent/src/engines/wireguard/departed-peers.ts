import type { EnginePeer, Reading } from './driver.ts';

/** Ours: one that was away for longer may be anywhere. */
const KEPT_MS = 600_000;
/** Ours: as many as a mesh of that size loses when WireGuard ends. */
const MAX_KEPT = 10_000;

interface Departed {
  readonly peer: EnginePeer;
  readonly at_ms: number;
}

/**
 * Departed peers that have not answered since, as they were last seen. One that comes back, because a grant was restored or
 * because WireGuard was restarted, may be behind a NAT: then it is where it was last seen, and the coordinator cannot know
 * that address.
 */
export class DepartedPeers {
  #last: ReadonlyMap<string, EnginePeer> = new Map();
  /** By their keys, those that went first first. */
  readonly #departed = new Map<string, Departed>();

  /** Called with all that is seen, however it came about. */
  see({ peers }: Pick<Reading, 'peers'>, now_ms: number): void {
    for (const [key, peer] of this.#last) {
      if (peers.has(key) || peer.endpoint === null || peer.handshake_ms === null) continue;
      this.#departed.delete(key);
      this.#departed.set(key, { peer, at_ms: now_ms });
    }
    this.#last = peers;
    let above = this.#departed.size - MAX_KEPT;
    for (const [key, { at_ms }] of this.#departed) {
      const isOver = Math.abs(now_ms - at_ms) >= KEPT_MS; // also when the clock was set
      const isBack = (peers.get(key)?.handshake_ms ?? null) !== null;
      if (above > 0 || isOver || isBack) this.#departed.delete(key);
      above -= 1;
    }
  }

  all(): Iterable<EnginePeer> {
    return Array.from(this.#departed.values(), ({ peer }) => peer);
  }
}

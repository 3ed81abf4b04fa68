import { isInSession } from '../../host/in-session.ts';
import { upsertOf } from './difference.ts';
import type { PeerUpsert, Reading } from './driver.ts';
import type { WantedPeer } from './wanted-peers.ts';

/** WireGuard knocks every 5 s, and up to a third of one later. A place is left when it was knocked at once. */
const MIN_STAY_MS = 5_500;

/** Where peers are looked for that do not answer: one place after the other, round and round. */
export class Search {
  /** When a peer was last sent somewhere else, by key. */
  readonly #moved_at_ms = new Map<string, number>();

  /** The moves that are due now. */
  next(wanted: ReadonlyMap<string, WantedPeer>, { peers }: Reading, now_ms: number): PeerUpsert[] {
    const moves: PeerUpsert[] = [];
    for (const peer of wanted.values()) {
      const seen = peers.get(peer.key);
      if (seen === undefined || isInSession(seen, now_ms) || !this.#isDue(peer.key, now_ms)) continue;
      const place = placeAfter(peer.endpoints, seen.endpoint);
      if (place !== undefined && place !== seen.endpoint) moves.push(upsertOf(peer, place));
    }
    return moves;
  }

  moved(peers: readonly PeerUpsert[], now_ms: number): void {
    for (const { key } of peers) this.#moved_at_ms.set(key, now_ms);
  }

  keepOnly(wanted: ReadonlyMap<string, WantedPeer>): void {
    for (const key of this.#moved_at_ms.keys()) if (!wanted.has(key)) this.#moved_at_ms.delete(key);
  }

  #isDue(key: string, now_ms: number): boolean {
    // A move in the future is from before the clock was set back.
    return Math.abs(now_ms - (this.#moved_at_ms.get(key) ?? Number.NEGATIVE_INFINITY)) >= MIN_STAY_MS;
  }
}

/** From a place that is not in the list to its first one, and from the last to the first. */
export function placeAfter(endpoints: readonly string[], place: string | null | undefined): string | undefined {
  return endpoints[(endpoints.indexOf(place ?? '') + 1) % endpoints.length];
}

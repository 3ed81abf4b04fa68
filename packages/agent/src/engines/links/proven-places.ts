import { textOf } from '../../stun/place-text.ts';
import type { Place } from '../../stun/xor-address.ts';

/** Ours: a peer that goes directly says so within three seconds after it asked us from there. */
const PROVEN_MS = 10_000;
const MAX_KNOWN = 1024;

/**
 * Where peers have lately been, as shown by requests that came from there and that only they can have signed. What a peer merely
 * says is no reason to send a stream of packets there: the place may be that of a third party.
 */
export class ProvenPlaces {
  /** When it was last shown, the last one last. */
  readonly #shown = new Map<string, number>();

  note(peer: string, place: Place, now_ms: number = performance.now()): void {
    const key = `${peer} ${textOf(place)}`;
    this.#shown.delete(key);
    this.#shown.set(key, now_ms);
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > MAX_KNOWN && oldest !== undefined) this.#shown.delete(oldest);
  }

  has(peer: string, place: Place, now_ms: number = performance.now()): boolean {
    const shown_ms = this.#shown.get(`${peer} ${textOf(place)}`);
    return shown_ms !== undefined && now_ms - shown_ms <= PROVEN_MS;
  }
}

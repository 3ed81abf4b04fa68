import type { Peer } from '@meshwork/contract';
import { placeOf } from '../../stun/place-text.ts';

/** Where relays are that peers receive by, counted as peers come, change and go. */
export class PeerRelays {
  readonly #counts = new Map<string, number>();
  /** As they were counted. */
  readonly #peers = new Map<string, Peer>();

  /** Those of most peers first. */
  get addresses(): readonly string[] {
    return [...this.#counts].sort(([, a], [, b]) => b - a).map(([address]) => address);
  }

  /** Undefined: it is none any more. */
  set(id: string, peer: Peer | undefined): void {
    this.#add(peer, 1);
    this.#add(this.#peers.get(id), -1);
    if (peer === undefined) this.#peers.delete(id);
    else this.#peers.set(id, peer);
  }

  clear(): void {
    this.#counts.clear();
    this.#peers.clear();
  }

  #add(peer: Peer | undefined, by: number): void {
    for (const { endpoint } of peer?.relayed ?? []) {
      const address = placeOf(endpoint)?.address;
      if (address === undefined) continue;
      const count = (this.#counts.get(address) ?? 0) + by;
      if (count > 0) this.#counts.set(address, count);
      else this.#counts.delete(address);
    }
  }
}

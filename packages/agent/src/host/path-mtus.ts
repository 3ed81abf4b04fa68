import { MESH_MTU } from './own-numbers.ts';

/** Ours: each has some routes, and all of them are read with every comparison. */
const MAX_NARROW = 1000;

/**
 * Peers that packets of the full MTU do not get to, with what does. Where the engines of links, which finds it out, and of the
 * network, which makes routes of it, meet: neither knows the other. It stays while a link rests: its next packet most likely goes
 * where the last one went.
 */
export class PathMtus {
  /** By id of the peer, the one that was found last at the end. */
  readonly #narrow = new Map<string, number>();
  changed: () => void = () => undefined;

  get all(): ReadonlyMap<string, number> {
    return this.#narrow;
  }

  set(peer: string, mtu: number): void {
    const before = this.#narrow.get(peer);
    this.#narrow.delete(peer);
    if (mtu < MESH_MTU) this.#narrow.set(peer, mtu);
    const [oldest] = this.#narrow.keys();
    if (this.#narrow.size > MAX_NARROW && oldest !== undefined) this.#narrow.delete(oldest);
    if (this.#narrow.get(peer) !== before) this.changed();
  }

  /** Nothing is known of it any more. */
  forget(peer: string): void {
    this.set(peer, MESH_MTU);
  }

  clear(): void {
    if (this.#narrow.size === 0) return;
    this.#narrow.clear();
    this.changed();
  }
}

import type { Peer } from '@meshwork/contract';
import { digestOf, EMPTY_DIGEST, withItem, withoutItem } from '@meshwork/contract/digest';

/**
 * The peers of a node, as it was told. There are two kinds: the records themselves, which a data plane needs, and their
 * digests alone, which are enough to say what is held and let a simulated fleet be large.
 */
export interface HeldPeers {
  readonly size: number;
  /** Of all of them together. */
  readonly digest: number;
  ids(): Iterable<string>;
  has(id: string): boolean;
  /** New, or in place of the one with the same id. */
  put(peer: Peer): void;
  remove(id: string): void;
  clear(): void;
}

export class PeerRecords implements HeldPeers {
  readonly #byId = new Map<string, Peer>();
  #digest = EMPTY_DIGEST;

  get size(): number {
    return this.#byId.size;
  }

  get digest(): number {
    return this.#digest;
  }

  ids(): Iterable<string> {
    return this.#byId.keys();
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  get(id: string): Peer | undefined {
    return this.#byId.get(id);
  }

  all(): Iterable<Peer> {
    return this.#byId.values();
  }

  put(peer: Peer): void {
    this.remove(peer.id);
    this.#byId.set(peer.id, peer);
    this.#digest = withItem(this.#digest, digestOf(peer));
  }

  remove(id: string): void {
    const peer = this.#byId.get(id);
    if (peer === undefined) return;
    this.#byId.delete(id);
    this.#digest = withoutItem(this.#digest, digestOf(peer));
  }

  clear(): void {
    this.#byId.clear();
    this.#digest = EMPTY_DIGEST;
  }
}

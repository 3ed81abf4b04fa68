import type { HeldPeers } from '@meshwork/agent';
import type { Peer } from '@meshwork/contract';
import { digestOf, EMPTY_DIGEST, withItem, withoutItem } from '@meshwork/contract/digest';

/**
 * Peers without their records: enough to say truthfully what is held, at a tenth of the memory. Ids are shared by all who
 * hold the same peer.
 */
export class PeerDigests implements HeldPeers {
  readonly #names: NameTable;
  readonly #byId = new Map<string, number>();
  #digest = EMPTY_DIGEST;

  constructor(names: NameTable) {
    this.#names = names;
  }

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

  put(peer: Peer): void {
    this.remove(peer.id);
    const digest = digestOf(peer);
    this.#byId.set(this.#names.shared(peer.id), digest);
    this.#digest = withItem(this.#digest, digest);
  }

  remove(id: string): void {
    const digest = this.#byId.get(id);
    if (digest === undefined) return;
    this.#byId.delete(id);
    this.#digest = withoutItem(this.#digest, digest);
  }

  clear(): void {
    this.#byId.clear();
    this.#digest = EMPTY_DIGEST;
  }
}

/** One copy of each text for a whole fleet. It only grows, by one entry for each node that ever was a peer. */
export class NameTable {
  readonly #texts = new Map<string, string>();

  shared(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}

import type { NodeId } from '@meshwork/contract';
import type { Acquaintance, Reach, StoredNode, View } from '@meshwork/coordinator/views';

/**
 * A policy that gives every node other peers than any other node: the ones that joined just before and just after it.
 * What nodes are told cannot be shared then, beyond what is said about each of them.
 */
export class LineReach implements Reach {
  readonly #each: number;
  readonly #line: NodeId[] = [];
  readonly #place = new Map<NodeId, number>();

  constructor(each: number) {
    this.#each = each;
  }

  reset(view: View): void {
    this.#line.length = 0;
    this.#place.clear();
    for (const id of [...view.all('node')].map((node) => node.id as NodeId).sort()) this.#join(id);
  }

  *update(before: StoredNode | undefined, after: StoredNode | undefined): Generator<Acquaintance> {
    if (before !== undefined || after === undefined) return; // nobody leaves here
    const id = after.id as NodeId;
    this.#join(id);
    for (const peer of this.peersOf(id)) {
      yield { node: peer, peer: id, gained: true };
      yield { node: id, peer, gained: true };
    }
  }

  *peersOf(node: NodeId): Generator<NodeId> {
    const place = this.#place.get(node);
    if (place === undefined) return;
    for (let at = Math.max(0, place - this.#each); at <= place + this.#each; at++) {
      const peer = this.#line[at];
      if (peer !== undefined && at !== place) yield peer;
    }
  }

  arePeers(a: NodeId, b: NodeId): boolean {
    const [from, to] = [this.#place.get(a), this.#place.get(b)];
    return from !== undefined && to !== undefined && from !== to && Math.abs(from - to) <= this.#each;
  }

  matches(): readonly string[] {
    return ['line -> line'];
  }

  #join(id: NodeId): void {
    this.#place.set(id, this.#line.length);
    this.#line.push(id);
  }
}

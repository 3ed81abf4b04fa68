import type { NodeId } from '@meshwork/contract';
import type { Cohort, Move, Reach, View } from '@meshwork/coordinator/views';

/** A place in the line, with the one node that has it. */
interface Place extends Cohort {
  readonly at: number;
}

/**
 * A policy that gives every node other peers than any other node: the ones that joined just before and just after it.
 * What nodes are told cannot be shared then, beyond what is said about each of them.
 */
export class LineReach implements Reach {
  readonly #each: number;
  readonly #line: Place[] = [];
  readonly #placeOf = new Map<NodeId, Place>();

  constructor(each: number) {
    this.#each = each;
  }

  reset(view: View): void {
    this.#line.length = 0;
    this.#placeOf.clear();
    for (const id of [...view.all('node')].map((node) => node.id as NodeId).sort()) this.#join(id);
  }

  update(_view: View, node: NodeId): Move | undefined {
    if (this.#placeOf.has(node)) return undefined; // nobody leaves here
    return { from: undefined, to: this.#join(node) };
  }

  cohortOf(node: NodeId): Cohort | undefined {
    return this.#placeOf.get(node);
  }

  peersOf(cohort: Cohort): Iterable<Cohort> {
    const { at } = cohort as Place;
    return this.#line.slice(Math.max(0, at - this.#each), at + this.#each + 1).filter((place) => place !== cohort);
  }

  arePeers(a: Cohort, b: Cohort): boolean {
    return a !== b && Math.abs((a as Place).at - (b as Place).at) <= this.#each;
  }

  matches(): readonly string[] {
    return ['line -> line'];
  }

  #join(id: NodeId): Place {
    const place = { at: this.#line.length, members: new Set([id]) };
    this.#line.push(place);
    this.#placeOf.set(id, place);
    return place;
  }
}

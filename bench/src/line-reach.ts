import type { NodeId } from '@meshwork/contract';
import { type Cohort, type Facts, type Move, PolicyReach } from '@meshwork/coordinator/views';
import type { Terms } from '@meshwork/policy';

/** A place in the line, with the one node that has it. */
interface Place extends Cohort {
  readonly at: number;
}

const EVERYTHING: Terms = { allow: ['*'], forward: [], routes: [] };

/**
 * A policy that gives every node other peers than any other node: the ones that joined just before and just after it.
 * Nodes cannot share what they are sent then, beyond the record of each peer.
 */
export class LineReach extends PolicyReach {
  readonly #each: number;
  readonly #line: Place[] = [];
  readonly #placeOf = new Map<NodeId, Place>();

  constructor(each: number) {
    super();
    this.#each = each;
  }

  override reset(facts: Facts): void {
    super.reset(facts);
    this.#line.length = 0;
    this.#placeOf.clear();
    for (const id of [...facts.view.all('node')].map((node) => node.id as NodeId).sort()) this.#join(id);
  }

  override update(node: NodeId): Move | undefined {
    if (this.#placeOf.has(node)) return undefined; // no node leaves in this bench
    return { from: undefined, to: this.#join(node) };
  }

  override cohortOf(node: NodeId): Cohort | undefined {
    return this.#placeOf.get(node);
  }

  override peersOf(cohort: Cohort): Iterable<Cohort> {
    const { at } = cohort as Place;
    return this.#line.slice(Math.max(0, at - this.#each), at + this.#each + 1).filter((place) => place !== cohort);
  }

  override arePeers(a: Cohort, b: Cohort): boolean {
    return a !== b && Math.abs((a as Place).at - (b as Place).at) <= this.#each;
  }

  override terms(): Terms {
    return EVERYTHING;
  }

  override matches(): readonly string[] {
    return ['line -> line'];
  }

  #join(id: NodeId): Place {
    const place = { at: this.#line.length, members: new Set([id]) };
    this.#line.push(place);
    this.#placeOf.set(id, place);
    return place;
  }
}

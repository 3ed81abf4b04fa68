import type { NodeId, Scope } from '@meshwork/contract';
import type { Stored, View } from '../mesh/model.ts';
import { boundaryOfNode, isMember } from '../mesh/node-state.ts';
import type { Cohort, Move, Reach } from './reach.ts';

interface Boundary extends Cohort {
  readonly name: string;
  readonly members: Set<NodeId>;
}

/**
 * The rule while there is no policy: nodes of one boundary know each other, and nobody else (docs/decisions/0016). A
 * boundary is the same team, the same surface and the same environment.
 */
export class BoundaryReach implements Reach {
  readonly #boundaries = new Map<string, Boundary>();
  readonly #boundaryOf = new Map<NodeId, Boundary>();

  reset(view: View): void {
    this.#boundaries.clear();
    this.#boundaryOf.clear();
    for (const { id } of view.all('node')) this.update(view, id as NodeId);
  }

  update(view: View, id: NodeId): Move | undefined {
    const node = view.get('node', id);
    const from = this.#boundaryOf.get(id);
    const to = node === undefined || !isMember(node.body) ? undefined : this.#named(nameOf(node));
    if (from === to) return undefined;
    from?.members.delete(id);
    to?.members.add(id);
    if (to === undefined) this.#boundaryOf.delete(id);
    else this.#boundaryOf.set(id, to);
    return { from, to };
  }

  cohortOf(node: NodeId): Cohort | undefined {
    return this.#boundaryOf.get(node);
  }

  peersOf(cohort: Cohort): Iterable<Cohort> {
    return [cohort];
  }

  arePeers(a: Cohort, b: Cohort): boolean {
    return a === b;
  }

  matches(node: NodeId): readonly string[] {
    const boundary = this.#boundaryOf.get(node);
    return boundary === undefined ? [] : [`${boundary.name} -> ${boundary.name}`];
  }

  #named(name: string): Boundary {
    let boundary = this.#boundaries.get(name);
    if (boundary === undefined) {
      boundary = { name, members: new Set() };
      this.#boundaries.set(name, boundary);
    }
    return boundary;
  }
}

/** As people write a boundary. */
function nameOf(node: Stored<'node'>): string {
  const { team, surface, environment }: Scope = boundaryOfNode(node.body);
  return `${team}/${surface}/${environment}`;
}

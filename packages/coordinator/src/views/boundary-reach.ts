import type { NodeId, Scope } from '@meshwork/contract';
import type { Stored, View } from '../mesh/model.ts';
import { boundaryOfNode, isMember } from '../mesh/node-state.ts';
import type { Acquaintance, Reach } from './reach.ts';

const NOBODY: ReadonlySet<NodeId> = new Set();

/**
 * The rule while there is no policy: nodes of one boundary know each other, and nobody else (docs/decisions/0016). A
 * boundary is the same team, the same surface and the same environment.
 */
export class BoundaryReach implements Reach {
  readonly #groups = new Map<string, Set<NodeId>>();
  readonly #groupOf = new Map<NodeId, Set<NodeId>>();

  reset(view: View): void {
    this.#groups.clear();
    this.#groupOf.clear();
    for (const node of view.all('node')) this.#add(node);
  }

  *update(before: Stored<'node'> | undefined, after: Stored<'node'> | undefined): Generator<Acquaintance> {
    const id = (after ?? before)?.id as NodeId;
    const old = this.#groupOf.get(id);
    const next = after !== undefined && isMember(after.body) ? this.#groupNamed(groupName(after)) : undefined;
    if (old === next) return;
    if (old !== undefined) {
      old.delete(id);
      this.#groupOf.delete(id);
      yield* bothWays(id, old, false);
    }
    if (next !== undefined) {
      yield* bothWays(id, next, true);
      next.add(id);
      this.#groupOf.set(id, next);
    }
  }

  *peersOf(node: NodeId): Generator<NodeId> {
    for (const peer of this.#groupOf.get(node) ?? NOBODY) if (peer !== node) yield peer;
  }

  arePeers(a: NodeId, b: NodeId): boolean {
    return a !== b && (this.#groupOf.get(a) ?? NOBODY).has(b);
  }

  matches(node: Stored<'node'>): readonly string[] {
    if (!isMember(node.body)) return [];
    const name = groupName(node);
    return [`${name} -> ${name}`];
  }

  #add(node: Stored<'node'>): void {
    if (!isMember(node.body)) return;
    const group = this.#groupNamed(groupName(node));
    group.add(node.id as NodeId);
    this.#groupOf.set(node.id as NodeId, group);
  }

  #groupNamed(name: string): Set<NodeId> {
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = new Set();
      this.#groups.set(name, group);
    }
    return group;
  }
}

function* bothWays(id: NodeId, group: ReadonlySet<NodeId>, gained: boolean): Generator<Acquaintance> {
  for (const other of group) {
    yield { node: other, peer: id, gained };
    yield { node: id, peer: other, gained };
  }
}

/** As people write a boundary. */
function groupName(node: Stored<'node'>): string {
  const { team, surface, environment }: Scope = boundaryOfNode(node.body);
  return `${team}/${surface}/${environment}`;
}

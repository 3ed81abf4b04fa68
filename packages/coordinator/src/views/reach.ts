import type { NodeId } from '@meshwork/contract';
import type { View } from '../mesh/model.ts';

export type { View };

/** Nodes that are told the same of others: a peer of one of them is a peer of all of them. */
export interface Cohort {
  readonly members: ReadonlySet<NodeId>;
}

/** That a node is of another cohort now. Without `from` it came, without `to` it went. */
export interface Move {
  readonly from: Cohort | undefined;
  readonly to: Cohort | undefined;
}

/**
 * Who has to know whom. It follows the nodes of the mesh one at a time and speaks of cohorts, never of pairs of nodes, so
 * that ten thousand nodes of one kind cost what one does. Whether two cohorts are peers never changes: a node that changes
 * moves to another one. That holds for a cohort that has just lost its last member, too.
 */
export interface Reach {
  /** Forgets everything and starts from these. */
  reset(view: View): void;
  /** Looks at a node again that came, changed or went. Undefined: it stays where it is. */
  update(view: View, node: NodeId): Move | undefined;
  cohortOf(node: NodeId): Cohort | undefined;
  /** Each once; itself among them when its members are peers of each other. */
  peersOf(cohort: Cohort): Iterable<Cohort>;
  arePeers(a: Cohort, b: Cohort): boolean;
  /** The grants that the node takes part in: `<source group> -> <destination group>`. */
  matches(node: NodeId): readonly string[];
}

/** Without itself, in no particular order. */
export function* peersOfNode(reach: Reach, node: NodeId): Generator<NodeId> {
  const cohort = reach.cohortOf(node);
  if (cohort === undefined) return;
  for (const { members } of reach.peersOf(cohort)) {
    for (const peer of members) if (peer !== node) yield peer;
  }
}

export function arePeers(reach: Reach, a: NodeId, b: NodeId): boolean {
  const [one, other] = [reach.cohortOf(a), reach.cohortOf(b)];
  return a !== b && one !== undefined && other !== undefined && reach.arePeers(one, other);
}

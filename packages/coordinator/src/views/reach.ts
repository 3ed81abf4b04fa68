import type { NodeId } from '@meshwork/contract';
import type { Stored, View } from '../mesh/model.ts';

export type { View };
export type StoredNode = Stored<'node'>;

/** That one node now has to know another, or no longer has to. */
export interface Acquaintance {
  readonly node: NodeId;
  readonly peer: NodeId;
  readonly gained: boolean;
}

/**
 * Who has to know whom. It follows the nodes of the mesh one change at a time, and its answers cost what they concern:
 * `peersOf` the peers of one node, `update` the acquaintances that changed.
 */
export interface Reach {
  /** Forgets everything and starts from these. */
  reset(view: View): void;
  /** Takes in that a node came, changed or went, and says who gained or lost whom by it. */
  update(before: Stored<'node'> | undefined, after: Stored<'node'> | undefined): Iterable<Acquaintance>;
  /** Without itself, in no particular order. */
  peersOf(node: NodeId): Iterable<NodeId>;
  arePeers(a: NodeId, b: NodeId): boolean;
  /** The grants that the node takes part in: `<source group> -> <destination group>`. */
  matches(node: Stored<'node'>): readonly string[];
}

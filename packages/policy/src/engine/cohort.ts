/**
 * Nodes that the policy cannot tell apart: what holds for one of them holds for all. The engine reasons about cohorts and
 * never about pairs of nodes, so a mesh of ten thousand nodes in ten roles costs what ten nodes cost.
 *
 * What holds between two cohorts follows from what their members have in common, and stays so for as long as the policy
 * does: a node that changes moves to another cohort.
 */
export interface Cohort {
  readonly members: ReadonlySet<string>;
}

/** What is allowed between a node and one of its peers, as it is sent to the node. Equal terms are the same object. */
export interface Terms {
  /** What the peer may do on this node, merged and in canonical order. Empty: nothing. */
  readonly allow: readonly string[];
  /** What the peer may do behind this node, in networks that this node forwards to. */
  readonly forward: readonly { readonly to: string; readonly allow: readonly string[] }[];
  /** Networks that this node may reach behind the peer. */
  readonly routes: readonly string[];
  /** Those of them that a grant names the peer for, which is in another boundary. Absent: none. */
  readonly routes_via?: readonly string[];
  /** Those of them that are approved for the whole mesh, with the peer in another boundary. Absent: none. */
  readonly routes_shared?: readonly string[];
}

/** A node is of another cohort now. Without `from` it is new, without `to` it is gone. */
export interface Move {
  readonly from: Cohort | undefined;
  readonly to: Cohort | undefined;
}

import type { NodeId } from '@meshwork/contract';
import type { Terms } from '@meshwork/policy';
import type { View } from '../mesh/model.ts';
import type { RoutesOf } from './routes-of.ts';

export type { View };

/** Nodes that are sent the same about others: a peer of one of them is a peer of all of them, on the same terms. */
export interface Cohort {
  readonly members: ReadonlySet<NodeId>;
}

/** That a node is of another cohort now. Without `from` it came, without `to` it went. */
export interface Move {
  readonly from: Cohort | undefined;
  readonly to: Cohort | undefined;
}

/** What another policy means to some nodes: to all of these the same. They may be among their own peers. */
export interface Shift {
  readonly members: readonly NodeId[];
  /** Peers that they gained or lost. */
  readonly peers: readonly NodeId[];
  /** Those with whom other things are allowed than before. */
  readonly acl: readonly NodeId[];
}

/** What `Reach` goes by. */
export interface Facts {
  readonly view: View;
  /** Who forwards to what. */
  readonly routes: RoutesOf;
}

/**
 * Who has to know whom, and what they may do. It follows the nodes of the mesh one at a time and speaks of cohorts, never
 * of pairs of nodes, so that ten thousand nodes of one kind cost what one does. What holds between two cohorts never
 * changes: a node that changes moves to another one. That is so for a cohort that has just lost its last member, too.
 */
export interface Reach {
  /** Forgets everything and starts from these, which are looked at from then on. */
  reset(facts: Facts): void;
  /** Looks at a node again that came, changed or went. Undefined: it stays where it is. */
  update(node: NodeId): Move | undefined;
  /** Takes up another policy. All cohorts are new then; says for whom anything is different. */
  replacePolicy(): readonly Shift[];
  cohortOf(node: NodeId): Cohort | undefined;
  /** As it will be of once a transaction is committed whose view this is. */
  cohortIn(view: View, node: NodeId): Cohort | undefined;
  /** Each once; itself among them when its members are peers of each other. */
  peersOf(cohort: Cohort): Iterable<Cohort>;
  arePeers(a: Cohort, b: Cohort): boolean;
  /** What a member of the one is sent as allowed with a member of the other. Equal terms are one object. */
  terms(cohort: Cohort, peer: Cohort): Terms;
  /** The grants that its members take part in: `<source group> -> <destination group>`. */
  matches(cohort: Cohort): readonly string[];
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

/** What the one is sent as allowed with the other. Undefined: they are no peers. */
export function termsBetween(reach: Reach, node: NodeId, peer: NodeId): Terms | undefined {
  const [one, other] = [reach.cohortOf(node), reach.cohortOf(peer)];
  if (node === peer || one === undefined || other === undefined) return undefined;
  return reach.arePeers(one, other) ? reach.terms(one, other) : undefined;
}

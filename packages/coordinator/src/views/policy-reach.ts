import type { NodeId } from '@meshwork/contract';
import { type Cohort as AnyCohort, difference, Engine, type Segment, type Terms } from '@meshwork/policy';
import { policyInEffect } from '../mesh/policy-in-effect.ts';
import { policyNode } from '../mesh/policy-node.ts';
import type { Cohort, Facts, Move, Reach, Shift, View } from './reach.ts';

export type { Cohort, Facts, Move };

/** Which nodes are peers by the policy in effect. The engine does the work; this gives it the mesh. */
export class PolicyReach implements Reach {
  #facts: Facts | undefined;
  #engine: Engine | undefined;

  /** For questions about the policy itself. */
  get engine(): Engine {
    if (this.#engine === undefined) throw new Error('The engine was asked before it knew the mesh.');
    return this.#engine;
  }

  reset(facts: Facts): void {
    this.#facts = facts;
    this.#engine = compile(facts);
  }

  update(id: NodeId): Move | undefined {
    const node = this.#facts === undefined ? undefined : policyNode(this.#facts.view, this.#facts.routes, id);
    const move = node === undefined ? this.engine.delete(id) : this.engine.set(node);
    return move as Move | undefined;
  }

  replacePolicy(): readonly Shift[] {
    const before = this.engine;
    if (this.#facts === undefined) return [];
    this.#engine = compile(this.#facts);
    return Array.from(difference(before, this.#engine), ({ members, peers_lost, peers_gained, terms_changed }) => ({
      members: members as readonly NodeId[],
      peers: idsOf([...peers_lost, ...peers_gained]),
      acl: idsOf([...peers_lost, ...peers_gained, ...terms_changed]),
    }));
  }

  cohortOf(node: NodeId): Cohort | undefined {
    return this.engine.cohortOf(node) as Cohort | undefined;
  }

  cohortIn(view: View, id: NodeId): Cohort | undefined {
    const node = this.#facts === undefined ? undefined : policyNode(view, this.#facts.routes, id);
    return node === undefined ? undefined : (this.engine.cohortFor(node) as Cohort | undefined);
  }

  peersOf(cohort: Cohort): Iterable<Cohort> {
    return this.engine.peersOf(cohort as AnyCohort) as Iterable<Cohort>;
  }

  arePeers(a: Cohort, b: Cohort): boolean {
    return this.engine.arePeers(a, b);
  }

  terms(cohort: Cohort, peer: Cohort): Terms {
    return this.engine.terms(cohort, peer);
  }

  matches(cohort: Cohort): readonly string[] {
    return this.engine.matches(cohort as AnyCohort);
  }
}

function compile({ view, routes }: Facts): Engine {
  const { document, lapsed } = policyInEffect(view);
  const nodes = Array.from(view.all('node'), ({ id }) => policyNode(view, routes, id as NodeId));
  return Engine.compile({ document, lapsed, nodes: nodes.filter((node) => node !== undefined) });
}

function idsOf(segments: readonly Segment[]): readonly NodeId[] {
  return segments.flatMap(({ members }) => members as readonly NodeId[]);
}

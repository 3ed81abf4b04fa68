/**
 * Who is a peer of whom and on what terms, for the whole mesh and one change at a time. Start here: `plan.ts` takes the
 * grants apart, `signature.ts` says what the policy can tell about a node, and nodes of one signature are a cohort.
 * `difference.ts` compares two engines, and `preview.ts` says the same in the words of the policy.
 */
import type { PolicyDocument } from '../document/document.ts';
import type { PolicyNode } from '../policy-node.ts';
import type { Cohort, Move, Terms } from './cohort.ts';
import { KeptCohort } from './kept-cohort.ts';
import { jointsOf, PairTerms } from './pair-terms.ts';
import { Plan } from './plan.ts';
import { Roster } from './roster.ts';
import { Signatures } from './signature.ts';

export class Engine {
  readonly #plan: Plan;
  readonly #signatures: Signatures;
  readonly #roster: Roster;
  readonly #terms: PairTerms;
  readonly #nodes = new Map<string, PolicyNode>();
  readonly #cohortOf = new Map<string, KeptCohort>();
  readonly #cohorts = new Map<string, KeptCohort>();
  #collections = 0;

  static compile(parts: {
    readonly document: PolicyDocument;
    readonly nodes: Iterable<PolicyNode>;
    /** Places in the document of the grants that have expired. */
    readonly lapsed: ReadonlySet<number>;
  }): Engine {
    const engine = new Engine(new Plan(parts.document, parts.lapsed));
    for (const node of parts.nodes) engine.set(node);
    return engine;
  }

  private constructor(plan: Plan) {
    this.#plan = plan;
    this.#signatures = new Signatures(plan);
    this.#roster = new Roster(plan.sideCount);
    this.#terms = new PairTerms(plan.linkCount);
  }

  get document(): PolicyDocument {
    return this.#plan.document;
  }

  get lapsed(): ReadonlySet<number> {
    return this.#plan.lapsed;
  }

  /** A node came or changed. Undefined: it stays where it was. */
  set(node: PolicyNode): Move | undefined {
    const from = this.#cohortOf.get(node.id);
    const isDropped = this.document.stale === 'drop' && !node.fresh;
    const signature = isDropped ? undefined : this.#signatures.of(node);
    this.#nodes.set(node.id, node);
    if (signature === undefined) return this.#leave(node.id, from);
    if (from?.signature.key === signature.key) return undefined;
    this.#leave(node.id, from);
    let to = this.#cohorts.get(signature.key);
    if (to === undefined) {
      to = new KeptCohort(this.#plan, signature);
      this.#cohorts.set(signature.key, to);
      this.#roster.add(to);
    }
    to.members.add(node.id);
    this.#cohortOf.set(node.id, to);
    return { from, to };
  }

  /**
   * The cohort that a node would be of, before it is set. Changes nothing: a cohort without members is not kept. Undefined: it is stale, and the policy drops those.
   */
  cohortFor(node: PolicyNode): Cohort | undefined {
    if (this.document.stale === 'drop' && !node.fresh) return undefined;
    const signature = this.#signatures.of(node);
    return this.#cohorts.get(signature.key) ?? new KeptCohort(this.#plan, signature);
  }

  /** A node went. Undefined: it had no cohort. */
  delete(id: string): Move | undefined {
    this.#nodes.delete(id);
    return this.#leave(id, this.#cohortOf.get(id));
  }

  nodeOf(id: string): PolicyNode | undefined {
    return this.#nodes.get(id);
  }

  /** Undefined: the mesh has no such node, or it is stale and the policy drops those. */
  cohortOf(id: string): Cohort | undefined {
    return this.#cohortOf.get(id);
  }

  /** All of them, each with at least one member. */
  cohorts(): Iterable<Cohort> {
    return this.#cohorts.values();
  }

  /** Each once. The cohort itself is among them when two of its members, if it has two, are peers. */
  peersOf(cohort: Cohort): readonly Cohort[] {
    const { near, signature } = this.#kept(cohort);
    const collection = ++this.#collections;
    const peers: KeptCohort[] = [];
    for (const { side, within } of near) {
      const there = within ? this.#roster.onWithin(side, signature.boundary) : this.#roster.on(side);
      for (const peer of there) {
        if (peer.seen === collection) continue;
        peer.seen = collection;
        peers.push(peer);
      }
    }
    return peers;
  }

  /** Of two distinct members. */
  arePeers(a: Cohort, b: Cohort): boolean {
    const [left, right] = [this.#kept(a), this.#kept(b)];
    return jointsOf(left, right).length > 0 || jointsOf(right, left).length > 0;
  }

  /** What is sent to a member of the one cohort about a member of the other. */
  terms(viewer: Cohort, peer: Cohort): Terms {
    return this.#terms.between(this.#kept(viewer), this.#kept(peer));
  }

  /** `"<from> -> <to>"` of the grants that its members have a part in, in the order of the document. */
  matches(cohort: Cohort): readonly string[] {
    return this.#kept(cohort).matches;
  }

  /** Places of the grants that let a member of the one cohort reach a member of the other itself, ascending. */
  grantsFrom(from: Cohort, to: Cohort): readonly number[] {
    const joints = jointsOf(this.#kept(from), this.#kept(to));
    const grants = joints.flatMap(({ link }) => (link.target.network === undefined ? link.grants : []));
    return grants.sort((a, b) => a - b);
  }

  /** The grants that let a member of the one cohort reach networks behind a member of the other, and which. */
  grantsBehind(from: Cohort, provider: Cohort): readonly { readonly grant: number; readonly to: string }[] {
    const joints = jointsOf(this.#kept(from), this.#kept(provider));
    // What is shared with the whole mesh is reached within the own boundary by two links of one grant.
    const behind = new Map<string, { readonly grant: number; readonly to: string }>();
    for (const { link, at } of joints) {
      for (const grant of link.grants) for (const to of at.networks) behind.set(`${grant} ${to}`, { grant, to });
    }
    return [...behind.values()].sort((a, b) => a.grant - b.grant || (a.to < b.to ? -1 : Number(a.to > b.to)));
  }

  #leave(id: string, cohort: KeptCohort | undefined): Move | undefined {
    if (cohort === undefined) return undefined;
    this.#cohortOf.delete(id);
    cohort.members.delete(id);
    if (cohort.members.size === 0) {
      this.#cohorts.delete(cohort.signature.key);
      this.#roster.delete(cohort);
    }
    return { from: cohort, to: undefined };
  }

  #kept(cohort: Cohort): KeptCohort {
    if (cohort instanceof KeptCohort && cohort.plan === this.#plan) return cohort;
    throw new Error('The cohort is of another engine, and means nothing to this one.');
  }
}

import type { Allow } from '../document/allow.ts';
import type { Grant, PolicyDocument } from '../document/document.ts';
import type { Network } from '../document/network.ts';
import type { LeafSelector, Selectable, Selector } from '../document/selector.ts';
import { parseAllows } from '../engine/allow-difference.ts';
import { Membership, selectorsOf } from '../engine/membership.ts';
import { networkOf } from '../engine/plan.ts';

/** A grant that was read once, so that questions about it cost nothing more. */
export interface ReadGrant {
  /** Its place in the document. */
  readonly index: number;
  readonly grant: Grant;
  /** `developers -> git-servers`. */
  readonly name: string;
  readonly allows: readonly Allow[];
  /** Undefined: it leads to a group. */
  readonly network: Network | undefined;
}

const NONE: readonly never[] = [];
/** The engine hands out the same document for as long as the policy stays, and so one index serves every question. */
const indexes = new WeakMap<PolicyDocument, PolicyIndex>();

/**
 * The document from the side of a question: which groups a node is in, and which grants start or end at a group. The
 * engine knows what is allowed and forgets what is not; to say what is missing, one has to look at the grants themselves.
 */
export class PolicyIndex {
  readonly document: PolicyDocument;
  readonly grants: readonly ReadGrant[];
  /** Those that lead to networks. */
  readonly outward: readonly ReadGrant[];
  readonly #from: ReadonlyMap<string, readonly ReadGrant[]>;
  readonly #to: ReadonlyMap<string, readonly ReadGrant[]>;
  readonly #groups: ReadonlyMap<string, readonly Selector[]>;
  /** Of groups that were asked about. */
  readonly #leaves = new Map<string, readonly LeafSelector[]>();
  readonly #membership: Membership;
  readonly #everybody: ReadonlySet<string>;

  static of(document: PolicyDocument): PolicyIndex {
    let index = indexes.get(document);
    if (index === undefined) {
      index = new PolicyIndex(document);
      indexes.set(document, index);
    }
    return index;
  }

  private constructor(document: PolicyDocument) {
    this.document = document;
    this.grants = document.grants.map(readGrant);
    this.outward = this.grants.filter(({ network }) => network !== undefined);
    this.#from = Map.groupBy(this.grants, ({ grant }) => grant.from);
    this.#to = Map.groupBy(this.grants, ({ grant }) => grant.to);
    this.#groups = selectorsOf(document);
    this.#membership = new Membership(this.#groups, this.#groups.keys());
    this.#everybody = new Set(this.#membership.everybodys());
  }

  /** The names of the groups that it is in. */
  groupsOf(node: Selectable): ReadonlySet<string> {
    return new Set(this.#membership.groupsOf(node));
  }

  grantsFrom(group: string): readonly ReadGrant[] {
    return this.#from.get(group) ?? NONE;
  }

  grantsTo(group: string): readonly ReadGrant[] {
    return this.#to.get(group) ?? NONE;
  }

  /** Whether it is from everybody, or to everybody: what it allows is meant for all, and one more word in it is for all too. */
  isWide({ grant }: ReadGrant): boolean {
    return this.#everybody.has(grant.from) || this.#everybody.has(grant.to);
  }

  /** What the members of a group are known by, with the groups inside it followed. Each once. */
  leavesOf(group: string): readonly LeafSelector[] {
    let leaves = this.#leaves.get(group);
    if (leaves === undefined) {
      leaves = leavesOf(group, this.#groups);
      this.#leaves.set(group, leaves);
    }
    return leaves;
  }
}

function readGrant(grant: Grant, index: number): ReadGrant {
  const name = `${grant.from} -> ${grant.to}`;
  return { index, grant, name, allows: parseAllows(grant.allow), network: networkOf(grant.to) };
}

function leavesOf(group: string, groups: ReadonlyMap<string, readonly Selector[]>): readonly LeafSelector[] {
  const leaves = new Map<string, LeafSelector>();
  const seen = new Set<string>();
  const visit = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const selector of groups.get(name) ?? NONE) {
      if (selector.kind === 'group') visit(selector.name);
      else leaves.set(JSON.stringify(selector), selector);
    }
  };
  visit(group);
  return [...leaves.values()];
}

import type { Network } from '@meshwork/addresses';
import type { Allow } from '../document/allow.ts';
import type { Grant, PolicyDocument, PolicyTest } from '../document/document.ts';
import type { LeafSelector, Selectable, Selector } from '../document/selector.ts';
import { parseTarget, type Target } from '../document/target.ts';
import { parseAllows } from '../engine/allow-difference.ts';
import { Membership, selectorsOf } from '../engine/membership.ts';
import { networkOf } from '../engine/plan.ts';
import { formatWanted } from './wanted.ts';

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

/** What a test of the policy forbids. */
export interface Denial {
  /** As the test has it: `group:laptops`. */
  readonly from: string;
  /** As the test has it: `git-1:tcp:22`. */
  readonly to: string;
  readonly source: Pick<Target, 'kind' | 'name'>;
  readonly target: Target;
}

const NONE: readonly never[] = [];
/** It has no attributes, so it is only in groups of every node. */
const BARE_NODE: Selectable = { name: '', tags: [], boundary: { team: '*', surface: '*', environment: '*' } };
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
  readonly #ofEveryNode: ReadonlySet<string>;
  /** By port. Undefined: not computed yet. */
  #denials: ReadonlyMap<string, readonly Denial[]> | undefined;

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
    this.#ofEveryNode = this.groupsOf(BARE_NODE);
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

  /** Whether it is from every node, or to every node: an addition to it would open that for all of them. */
  isWide({ grant }: ReadGrant): boolean {
    return this.isEveryNode(grant.from) || this.isEveryNode(grant.to);
  }

  isEveryNode(group: string): boolean {
    return this.#ofEveryNode.has(group);
  }

  /** What the tests forbid of a port: `tcp:22`. */
  denialsOf(port: string): readonly Denial[] {
    this.#denials ??= Map.groupBy(this.document.tests.flatMap(denialsOf), ({ target }) => formatWanted(target));
    return this.#denials.get(port) ?? NONE;
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

function denialsOf({ from, deny }: PolicyTest): readonly Denial[] {
  const group = 'group:';
  const source: Denial['source'] = from.startsWith(group)
    ? { kind: 'group', name: from.slice(group.length) }
    : { kind: 'node', name: from };
  return deny.flatMap((to) => {
    const target = parseTarget(to);
    return target === undefined ? [] : [{ from, to, source, target }];
  });
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

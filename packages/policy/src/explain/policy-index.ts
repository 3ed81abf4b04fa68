import type { Allow } from '../document/allow.ts';
import type { Grant, PolicyDocument } from '../document/document.ts';
import type { Network } from '../document/network.ts';
import { parseSelector, type Selector } from '../document/selector.ts';
import { parseAllows } from '../engine/allow-difference.ts';
import { networkOf } from '../engine/plan.ts';
import type { PolicyNode } from '../policy-node.ts';

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

export type Classified = Pick<PolicyNode, 'name' | 'tags' | 'boundary'>;
export type LeafSelector = Exclude<Selector, { kind: 'group' }>;

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
  readonly #leaves: ReadonlyMap<string, readonly LeafSelector[]>;
  readonly #everybody = new Set<string>();
  readonly #byTag = new Map<string, Set<string>>();
  readonly #byName = new Map<string, Set<string>>();
  readonly #byScope = new Map<string, { readonly scope: PolicyNode['boundary']; readonly groups: Set<string> }>();

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
    const groups = new Map(Object.entries(document.groups).map(([name, texts]) => [name, texts.map(readSelector)]));
    this.#leaves = new Map([...groups.keys()].map((name) => [name, leavesOf(name, groups)]));
    for (const [name, leaves] of this.#leaves) for (const leaf of leaves) this.#groupsFor(leaf).add(name);
  }

  /** The names of the groups that it is in. */
  groupsOf({ name, tags, boundary }: Classified): ReadonlySet<string> {
    const groups = new Set(this.#everybody);
    const add = (more: Iterable<string> = NONE) => {
      for (const group of more) groups.add(group);
    };
    add(this.#byName.get(name));
    for (const tag of tags) add(this.#byTag.get(tag));
    for (const { scope, groups: more } of this.#byScope.values()) if (isWithin(scope, boundary)) add(more);
    return groups;
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
    return this.#leaves.get(group) ?? NONE;
  }

  #groupsFor(leaf: LeafSelector): Set<string> {
    switch (leaf.kind) {
      case 'all':
        return this.#everybody;
      case 'tag':
        return setAt(this.#byTag, leaf.tag);
      case 'node':
        return setAt(this.#byName, leaf.name);
      case 'scope': {
        const key = `${leaf.team}/${leaf.surface}/${leaf.environment}`;
        const known = this.#byScope.get(key) ?? { scope: leaf, groups: new Set() };
        this.#byScope.set(key, known);
        return known.groups;
      }
    }
  }
}

function readGrant(grant: Grant, index: number): ReadGrant {
  const name = `${grant.from} -> ${grant.to}`;
  return { index, grant, name, allows: parseAllows(grant.allow), network: networkOf(grant.to) };
}

function readSelector(text: string): Selector {
  const selector = parseSelector(text);
  if (selector === undefined)
    throw new Error(`${text} selects nobody: the policy was explained without being checked.`);
  return selector;
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

function setAt(map: Map<string, Set<string>>, key: string): Set<string> {
  let set = map.get(key);
  if (set === undefined) {
    set = new Set();
    map.set(key, set);
  }
  return set;
}

/** Whether this is how it is known. */
export function isKnownBy(leaf: LeafSelector, { name, tags, boundary }: Classified): boolean {
  switch (leaf.kind) {
    case 'all':
      return true;
    case 'tag':
      return tags.includes(leaf.tag);
    case 'node':
      return leaf.name === name;
    case 'scope':
      return isWithin(leaf, boundary);
  }
}

/** A part that the node does not have reads `*`, and only a selector that does not care matches it. */
function isWithin(scope: PolicyNode['boundary'], boundary: PolicyNode['boundary']): boolean {
  return (
    (scope.team === '*' || scope.team === boundary.team) &&
    (scope.surface === '*' || scope.surface === boundary.surface) &&
    (scope.environment === '*' || scope.environment === boundary.environment)
  );
}

import { boundaryTagScope } from '../document/boundary-tag.ts';
import type { Grant, PolicyDocument } from '../document/document.ts';
import { isWithin, type Selector } from '../document/selector.ts';
import { selectorsOf } from '../engine/membership.ts';
import type { PolicyNode } from '../policy-node.ts';

type Boundary = PolicyNode['boundary'];

/** A grant that a tag can take part in, from the end that the tag is not on. */
interface Effect {
  /** It holds only between nodes of one boundary. */
  readonly within: boolean;
  /** The group at the other end. Undefined: a network, behind any node that forwards to it. */
  readonly other: string | undefined;
}

/**
 * What a policy opens with a tag: every grant that a node can come to take part in by carrying it. Grants that have expired
 * count as well, so that the answer follows from the text alone.
 */
export class TagEffects {
  readonly #selectors: ReadonlyMap<string, readonly Selector[]>;
  readonly #effectsOfGroup = new Map<string, Effect[]>();
  /** By tag, one list for each group that names it, and one for each `when` that does. */
  readonly #byTag = new Map<string, (readonly Effect[])[]>();

  constructor(document: PolicyDocument) {
    this.#selectors = selectorsOf(document);
    for (const grant of document.grants) this.#addGrant(grant);
    const holders = holdersOf(this.#selectors);
    for (const [group, selectors] of this.#selectors) {
      for (const selector of selectors) {
        if (selector.kind !== 'tag' || boundaryTagScope(selector.tag) !== undefined) continue;
        this.#name(
          selector.tag,
          upFrom(group, holders).flatMap((name) => this.#effectsOfGroup.get(name) ?? []),
        );
      }
    }
  }

  /**
   * Whether nothing that the tag opens leads out of the scope. A group that no grant uses is not limited yet: what it will
   * be used for is for its author to say, and a node that is in it by then should not come as a surprise.
   */
  staysWithin(scope: Boundary, tag: string): boolean {
    return (this.#byTag.get(tag) ?? []).every(
      (effects) =>
        effects.length > 0 &&
        effects.every(({ within, other }) => within || (other !== undefined && this.#isLimited(other, scope))),
    );
  }

  #addGrant({ from, to, via, within, when }: Grant): void {
    const bounded = within === 'boundary';
    const isNetwork = to.includes('/');
    const forward: Effect = { within: bounded, other: isNetwork ? via : to };
    const backward: Effect = { within: bounded, other: from };
    this.#effects(from).push(forward);
    if (!isNetwork) this.#effects(to).push(backward);
    if (via !== undefined) this.#effects(via).push(backward);
    if (when?.tag !== undefined && boundaryTagScope(when.tag) === undefined) this.#name(when.tag, [forward]);
  }

  /** Whether only nodes inside the scope can be in the group. */
  #isLimited(group: string, scope: Boundary): boolean {
    const inside = new Set([group]);
    for (const name of inside) {
      for (const selector of this.#selectors.get(name) ?? []) {
        if (selector.kind === 'group') inside.add(selector.name);
        else if (!isLimited(selector, scope)) return false;
      }
    }
    return true;
  }

  #effects(group: string): Effect[] {
    const effects = this.#effectsOfGroup.get(group) ?? [];
    this.#effectsOfGroup.set(group, effects);
    return effects;
  }

  #name(tag: string, effects: readonly Effect[]): void {
    const lists = this.#byTag.get(tag) ?? [];
    this.#byTag.set(tag, lists);
    lists.push(effects);
  }
}

function isLimited(selector: Exclude<Selector, { kind: 'group' }>, scope: Boundary): boolean {
  if (selector.kind === 'scope') return isWithin(scope, selector);
  const tagged = selector.kind === 'tag' ? boundaryTagScope(selector.tag) : undefined;
  return tagged !== undefined && isWithin(scope, tagged);
}

/** By group, those that have it directly inside. */
function holdersOf(selectors: ReadonlyMap<string, readonly Selector[]>): ReadonlyMap<string, readonly string[]> {
  const holders = new Map<string, string[]>();
  for (const [group, list] of selectors) {
    for (const selector of list) {
      if (selector.kind !== 'group') continue;
      const known = holders.get(selector.name) ?? [];
      holders.set(selector.name, known);
      known.push(group);
    }
  }
  return holders;
}

/** The group itself and every group that has it inside, however deep. */
function upFrom(group: string, holders: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const found = new Set([group]);
  for (const name of found) for (const holder of holders.get(name) ?? []) found.add(holder);
  return [...found];
}

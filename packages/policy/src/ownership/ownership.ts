/**
 * Who may put a tag on a node, give a node a name, or use a host name. A scope may when it lies within one of the owners'
 * scopes, and the whole mesh always may. What has no entry follows from what the policy does with it: see each method.
 */
import { boundaryTagScope } from '../document/boundary-tag.ts';
import type { Owners, PolicyDocument } from '../document/document.ts';
import { patternsOver } from '../document/owned.ts';
import { isWithin, parseSelector, type Selector } from '../document/selector.ts';
import { selectorsOf } from '../engine/membership.ts';
import type { PolicyNode } from '../policy-node.ts';
import { mentionedNames } from './mentioned-names.ts';
import { ALLOWED, type Ruling, refused, refusedByEntry, scopeWords } from './ruling.ts';
import { TagEffects } from './tag-effects.ts';

type Boundary = PolicyNode['boundary'];

export class Ownership {
  readonly #groups: ReadonlyMap<string, readonly Selector[]>;
  readonly #tagOwners: Owners;
  readonly #domainOwners: Owners;
  readonly #names: ReadonlySet<string>;
  readonly effects: TagEffects;

  constructor(document: PolicyDocument) {
    this.#groups = selectorsOf(document);
    this.#tagOwners = document.tag_owners ?? {};
    this.#domainOwners = document.domain_owners ?? {};
    this.#names = mentionedNames(document);
    this.effects = new TagEffects(document);
  }

  /**
   * Without an entry: a tag that the policy does not name is free, and one that it names is for those whose scope has all
   * in it that the tag opens. Tags of boundaries are not decided here: the scope of a token already bounds them.
   */
  tag(scope: Boundary, tag: string): Ruling {
    if (isMeshWide(scope) || boundaryTagScope(tag) !== undefined) return ALLOWED;
    const owners = this.tagOwners(tag);
    if (owners !== undefined) return ruled(scope, owners, `The tag "${tag}" may be set`, 'tag_owners');
    return this.effects.staysWithin(scope, tag)
      ? ALLOWED
      : refused(
          `The policy uses the tag "${tag}" beyond the boundary of the caller, and names no owner for it (tag_owners): only a mesh-wide token may set it.`,
        );
  }

  mentionsName(name: string): boolean {
    return this.#names.has(name);
  }

  /**
   * Without an entry: a name that the policy does not mention is free, and one that it mentions stays where it last was.
   * `last` is the boundary of the node that had it before; undefined: no node ever had it.
   */
  name(scope: Boundary, name: string, last: Boundary | undefined): Ruling {
    if (isMeshWide(scope) || !this.#names.has(name)) return ALLOWED;
    const owners = this.#scopesAt(this.#tagOwners, `node:${name}`);
    if (owners !== undefined) return ruled(scope, owners, `The name "${name}" may be taken`, 'tag_owners');
    if (last !== undefined && isWithin(scope, last)) return ALLOWED;
    if (last === undefined || isMeshWide(last)) {
      return refused(
        `The policy mentions the name "${name}", and names no owner for it (tag_owners): only a mesh-wide token may take it.`,
      );
    }
    const before = scopeWords(last);
    return refused(
      `The policy mentions the name "${name}", which a node of ${before} had before: it may be taken by ${before} or by a mesh-wide token.`,
      [last],
    );
  }

  /** Without an entry that covers it, a host name is for the whole mesh only. */
  domain(scope: Boundary, hostname: string): Ruling {
    if (isMeshWide(scope)) return ALLOWED;
    for (const pattern of patternsOver(hostname)) {
      const owners = this.#scopesAt(this.#domainOwners, pattern);
      if (owners !== undefined) {
        return ruled(scope, owners, `The host name "${hostname}" may be used`, 'domain_owners');
      }
    }
    return refused(`No entry of domain_owners covers the host name "${hostname}": only a mesh-wide token may use it.`);
  }

  /** Scopes that own the tag by an entry. Undefined: there is no entry for it. */
  tagOwners(tag: string): readonly Boundary[] | undefined {
    const exact = this.#scopesAt(this.#tagOwners, `tag:${tag}`);
    const colon = tag.indexOf(':');
    if (exact !== undefined || colon < 0) return exact;
    return this.#scopesAt(this.#tagOwners, `tag:${tag.slice(0, colon + 1)}*`);
  }

  #scopesAt(table: Owners, key: string): readonly Boundary[] | undefined {
    if (!Object.hasOwn(table, key)) return undefined;
    const scopes: Boundary[] = [];
    const groups = new Set<string>();
    const add = (selector: Selector | undefined) => {
      if (selector?.kind === 'scope') scopes.push(boundaryIn(selector));
      else if (selector?.kind === 'group') groups.add(selector.name);
    };
    for (const text of table[key] ?? []) add(parseSelector(text));
    for (const name of groups) for (const selector of this.#groups.get(name) ?? []) add(selector);
    return scopes;
  }
}

function ruled(scope: Boundary, owners: readonly Boundary[], what: string, table: string): Ruling {
  return owners.some((owner) => isWithin(owner, scope)) ? ALLOWED : refusedByEntry(owners, what, table);
}

function boundaryIn({ team, surface, environment }: Boundary): Boundary {
  return { team, surface, environment };
}

function isMeshWide({ team, surface, environment }: Boundary): boolean {
  return team === '*' && surface === '*' && environment === '*';
}

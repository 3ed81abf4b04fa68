/**
 * Who may put a tag on a node, give a node a name, or use a host name. A scope may when it lies within one of the owners'
 * scopes, and the whole mesh always may. What has no entry follows from what the policy does with it: see each method.
 */
import { boundaryTagScope } from '../document/boundary-tag.ts';
import type { Owners, PolicyDocument } from '../document/document.ts';
import { parseOwnedKey, patternsOver } from '../document/owned.ts';
import { isWithin, parseSelector, type Selector } from '../document/selector.ts';
import { parseTarget } from '../document/target.ts';
import { selectorsOf } from '../engine/membership.ts';
import type { PolicyNode } from '../policy-node.ts';
import { ALLOWED, type Entry, type Ruling, refused, refusedByEntry, scopeWords } from './ruling.ts';
import { TagEffects } from './tag-effects.ts';

type Boundary = PolicyNode['boundary'];

export class Ownership {
  readonly #groups: ReadonlyMap<string, readonly Selector[]>;
  readonly #tables: Readonly<Record<Entry['table'], Owners>>;
  readonly #names: ReadonlySet<string>;
  readonly #effects: TagEffects;

  constructor(document: PolicyDocument) {
    this.#groups = selectorsOf(document);
    this.#tables = { tag_owners: document.tag_owners ?? {}, domain_owners: document.domain_owners ?? {} };
    this.#names = mentionedNames(document);
    this.#effects = new TagEffects(document);
  }

  /**
   * Without an entry: a tag that the policy does not name is free, and one that it names is for those whose scope has all
   * in it that the tag opens. Tags of boundaries are not decided here: the scope of a token already bounds them.
   */
  tag(scope: Boundary, tag: string): Ruling {
    if (isMeshWide(scope) || boundaryTagScope(tag) !== undefined) return ALLOWED;
    const found = this.#owners('tag_owners', tagKeys(tag));
    if (found !== undefined) return ruled(scope, found, `The tag "${tag}" may be set`);
    if (this.#effects.staysWithin(scope, tag)) return ALLOWED;
    return refused(
      { table: 'tag_owners', key: `tag:${tag}`, written: false },
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
    const key = `node:${name}`;
    const found = this.#owners('tag_owners', [key]);
    if (found !== undefined) return ruled(scope, found, `The name "${name}" may be taken`);
    if (last !== undefined && isWithin(scope, last)) return ALLOWED;
    const entry = { table: 'tag_owners', key, written: false } as const;
    if (last === undefined || isMeshWide(last)) {
      return refused(
        entry,
        `The policy mentions the name "${name}", and names no owner for it (tag_owners): only a mesh-wide token may take it.`,
      );
    }
    const before = scopeWords(last);
    return refused(
      entry,
      `The policy mentions the name "${name}", which a node of ${before} had before: it may be taken by ${before} or by a mesh-wide token.`,
      [last],
    );
  }

  /** Without an entry that covers it, a host name is for the whole mesh only. */
  domain(scope: Boundary, hostname: string): Ruling {
    if (isMeshWide(scope)) return ALLOWED;
    const found = this.#owners('domain_owners', patternsOver(hostname));
    if (found !== undefined) return ruled(scope, found, `The host name "${hostname}" may be used`);
    return refused(
      { table: 'domain_owners', key: hostname, written: false },
      `No entry of domain_owners covers the host name "${hostname}": only a mesh-wide token may use it.`,
    );
  }

  /** The first of the entries that is written. */
  #owners(table: Entry['table'], keys: Iterable<string>): Found | undefined {
    const entries = this.#tables[table];
    for (const key of keys) {
      if (Object.hasOwn(entries, key)) {
        return { entry: { table, key, written: true }, owners: this.#scopesIn(entries[key] ?? []) };
      }
    }
    return undefined;
  }

  #scopesIn(owners: readonly string[]): readonly Boundary[] {
    const scopes: Boundary[] = [];
    const groups = new Set<string>();
    const add = (selector: Selector | undefined) => {
      if (selector?.kind === 'scope') {
        const { team, surface, environment } = selector;
        scopes.push({ team, surface, environment });
      } else if (selector?.kind === 'group') groups.add(selector.name);
    };
    for (const text of owners) add(parseSelector(text));
    for (const name of groups) for (const selector of this.#groups.get(name) ?? []) add(selector);
    return scopes;
  }
}

interface Found {
  readonly entry: Entry;
  readonly owners: readonly Boundary[];
}

function ruled(scope: Boundary, { entry, owners }: Found, what: string): Ruling {
  return owners.some((owner) => isWithin(owner, scope)) ? ALLOWED : refusedByEntry(entry, owners, what);
}

/** The entries that can speak of a tag, the more specific one first. */
function tagKeys(tag: string): readonly string[] {
  const colon = tag.indexOf(':');
  return colon < 0 ? [`tag:${tag}`] : [`tag:${tag}`, `tag:${tag.slice(0, colon + 1)}*`];
}

function isMeshWide({ team, surface, environment }: Boundary): boolean {
  return team === '*' && surface === '*' && environment === '*';
}

/** Names of nodes that the policy mentions: in groups, in tests and among what has owners. */
function mentionedNames(document: PolicyDocument): ReadonlySet<string> {
  const names = new Set<string>();
  for (const selectors of selectorsOf(document).values()) {
    for (const selector of selectors) if (selector.kind === 'node') names.add(selector.name);
  }
  for (const { from, allow, deny } of document.tests) {
    if (!from.startsWith('group:')) names.add(from);
    for (const text of [...allow, ...deny]) {
      const target = parseTarget(text);
      if (target?.kind === 'node') names.add(target.name);
    }
  }
  for (const key of Object.keys(document.tag_owners ?? {})) {
    const owned = parseOwnedKey(key);
    if (owned?.kind === 'node') names.add(owned.name);
  }
  return names;
}

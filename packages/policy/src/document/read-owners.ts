import { boundaryTagScope } from './boundary-tag.ts';
import { LIMITS } from './limits.ts';
import { isDomainPattern, meantDomain, parseOwnedKey } from './owned.ts';
import { type Problems, quote } from './problems.ts';
import { noSuchGroup } from './read-ends.ts';
import type { Groups } from './read-groups.ts';
import { isScopePart, isTag, parseSelector } from './selector.ts';
import { type Member, readList, readObject, readText, upTo, type Value } from './values.ts';

interface Named {
  readonly groups: Groups;
  readonly problems: Problems;
}

const TAG_OWNERS = '"tag_owners" is an object of tags and their owners, such as {"tag:role:dba": ["scope:beta/*/*"]}';
const DOMAIN_OWNERS =
  '"domain_owners" is an object of host names and their owners, such as {"*.beta.example.com": ["scope:beta/*/*"]}';
const OWNERS = 'The owners are a list of scopes and groups of scopes, such as ["scope:beta/*/*"]';
const OWNER =
  'An owner is a scope (team/surface/environment), such as "scope:beta/*/*", or a group of scopes, such as "group:teams"';

/** Undefined: the document has no such member. */
export function readTagOwners(value: Value | undefined, named: Named): Groups | undefined {
  return readTable(value, { expected: TAG_OWNERS, name: '"tag_owners"', mistakenKey: mistakenTag }, named);
}

export function readDomainOwners(value: Value | undefined, named: Named): Groups | undefined {
  return readTable(value, { expected: DOMAIN_OWNERS, name: '"domain_owners"', mistakenKey: mistakenDomain }, named);
}

interface Table {
  readonly expected: string;
  readonly name: string;
  /** What is wrong with a key. Undefined: nothing. */
  mistakenKey(key: string): string | undefined;
}

function readTable(value: Value | undefined, table: Table, named: Named): Groups | undefined {
  if (value === undefined) return undefined;
  const members = readObject(value, table.expected, named.problems) ?? [];
  const entries = upTo(members, { most: LIMITS.ownerEntries, things: `entries in ${table.name}` }, named.problems);
  return new Map(entries.map((entry) => [entry.name, readEntry(entry, table, named)]));
}

function readEntry(entry: Member, { mistakenKey }: Table, named: Named): readonly string[] {
  const mistake = mistakenKey(entry.name);
  if (mistake !== undefined) named.problems.report(entry, () => mistake);
  const limit = { expected: OWNERS, most: LIMITS.ownersOfEntry, things: 'owners in this list' };
  return (readList(entry.value, limit, named.problems) ?? []).flatMap((element) => {
    const text = readText(element, OWNER, named.problems);
    if (text === undefined) return [];
    const wrong = mistakenOwner(text, named.groups);
    if (wrong === undefined) return [text];
    named.problems.report(element, () => wrong);
    return [];
  });
}

function mistakenTag(key: string): string | undefined {
  const parsed = key.length > 200 ? undefined : parseOwnedKey(key);
  if (parsed === undefined) {
    const lower = key.slice(0, 201).trim().toLowerCase();
    const meant = [/^(?:tag|node|group|scope):/.test(lower) ? lower : `tag:${lower}`].find(parseOwnedKey);
    return meant === undefined
      ? `${quote(key)} is neither a tag, such as "tag:role:dba" or "tag:role:*", nor a node, such as "node:bastion-1".`
      : `${quote(key)} is neither a tag nor a node. Did you mean ${quote(meant)}?`;
  }
  const isBoundary =
    (parsed.kind === 'tag' && boundaryTagScope(parsed.tag) !== undefined) ||
    (parsed.kind === 'tags' && boundaryTagScope(parsed.prefix) !== undefined);
  return isBoundary
    ? `${quote(key)} cannot have owners: the scope of a token decides over team:, surface: and env: tags.`
    : undefined;
}

function mistakenDomain(key: string): string | undefined {
  if (isDomainPattern(key)) return undefined;
  const meant = meantDomain(key);
  return meant === undefined
    ? `${quote(key)} is not a host name. Write one such as "shop.example.com", "*.example.com" for all below it, or "*" for all.`
    : `${quote(key)} is not how this host name is written here. Write ${quote(meant)}.`;
}

function mistakenOwner(text: string, groups: Groups): string | undefined {
  const selector = text.length > 200 ? undefined : parseSelector(text);
  if (selector?.kind === 'scope') return undefined;
  if (selector?.kind === 'group') {
    if (!groups.has(selector.name)) return noSuchGroup(selector.name, groups.keys());
    const other = firstOtherThanScope(selector.name, groups);
    return other === undefined
      ? undefined
      : `The group ${quote(selector.name)} cannot be an owner: it has ${quote(other)}, and an owner is a group of scopes only.`;
  }
  const meant = meantOwner(text, groups);
  return `${quote(text)} is not an owner. ${meant === undefined ? `${OWNER}.` : `Did you mean ${quote(meant)}?`}`;
}

function meantOwner(text: string, groups: Groups): string | undefined {
  if (groups.has(text)) return `group:${text}`;
  if (text === '*') return 'scope:*/*/*';
  const tag = text.replace(/^tag:/, '');
  const scope = isTag(tag) ? boundaryTagScope(tag) : undefined;
  if (scope !== undefined) return `scope:${scope.team}/${scope.surface}/${scope.environment}`;
  const parts = text.split('/');
  return parts.length === 3 && parts.every(isScopePart) ? `scope:${text}` : undefined;
}

/** The first selector of the group, or of a group inside it, that is no scope. Undefined: there is none. */
function firstOtherThanScope(name: string, groups: Groups): string | undefined {
  const seen = new Set([name]);
  // A document with a circle of groups is refused elsewhere; here it only must not go on for ever.
  for (const group of seen) {
    for (const text of groups.get(group) ?? []) {
      const selector = parseSelector(text);
      if (selector?.kind === 'group') seen.add(selector.name);
      else if (selector?.kind !== 'scope') return text;
    }
  }
  return undefined;
}

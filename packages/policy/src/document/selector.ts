import type { PolicyNode } from '../policy-node.ts';

/** Who belongs to a group, one way of saying so. */
export type Selector =
  | { readonly kind: 'all' }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'node'; readonly name: string }
  /** Each part may be `*`, which is also the only thing that matches a node without that part. */
  | { readonly kind: 'scope'; readonly team: string; readonly surface: string; readonly environment: string }
  | { readonly kind: 'group'; readonly name: string };

const ALL: Selector = Object.freeze({ kind: 'all' });

/** `*`, `tag:role:git`, `node:git-1`, `scope:platform/git/*`, `group:developers`. Undefined: it is none of them. */
export function parseSelector(text: string): Selector | undefined {
  if (text === '*') return ALL;
  const colon = text.indexOf(':');
  const rest = text.slice(colon + 1);
  switch (text.slice(0, Math.max(colon, 0))) {
    case 'tag':
      return isTag(rest) ? { kind: 'tag', tag: rest } : undefined;
    case 'node':
      return isNodeName(rest) ? { kind: 'node', name: rest } : undefined;
    case 'group':
      return isGroupName(rest) ? { kind: 'group', name: rest } : undefined;
    case 'scope':
      return parseScope(rest);
    default:
      return undefined;
  }
}

/** What a selector can tell about a node. */
export type Selectable = Pick<PolicyNode, 'name' | 'tags' | 'boundary'>;
/** One that says by itself whom it means. */
export type LeafSelector = Exclude<Selector, { kind: 'group' }>;

export function isSelected(selector: LeafSelector, { name, tags, boundary }: Selectable): boolean {
  switch (selector.kind) {
    case 'all':
      return true;
    case 'tag':
      return tags.includes(selector.tag);
    case 'node':
      return selector.name === name;
    case 'scope':
      return isWithin(selector, boundary);
  }
}

/** A part that the node does not have reads `*`, and only a selector that does not care matches it. */
export function isWithin(scope: PolicyNode['boundary'], boundary: PolicyNode['boundary']): boolean {
  return (
    (scope.team === '*' || scope.team === boundary.team) &&
    (scope.surface === '*' || scope.surface === boundary.surface) &&
    (scope.environment === '*' || scope.environment === boundary.environment)
  );
}

function parseScope(text: string): Selector | undefined {
  const parts = text.split('/', 4);
  const [team = '', surface = '', environment = ''] = parts;
  return parts.length === 3 && parts.every(isScopePart) ? { kind: 'scope', team, surface, environment } : undefined;
}

export function isGroupName(text: string): boolean {
  return /^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/.test(text);
}

export function isNodeName(text: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text);
}

export function isTag(text: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,62}(?::[a-z0-9][a-z0-9._-]{0,62})?$/.test(text);
}

export function isScopePart(text: string): boolean {
  return /^(?:\*|[a-z0-9][a-z0-9._-]{0,62})$/.test(text);
}

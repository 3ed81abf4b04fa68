import { nearest } from './nearest.ts';
import { quote } from './problems.ts';
import { isTag, parseSelector } from './selector.ts';

const KINDS = ['tag', 'node', 'scope', 'group'] as const;
const EXAMPLES = '"*", "tag:role:dev", "node:bastion-1", "scope:platform/git/*" or "group:developers"';

/** What is wrong with a text that is no selector, and what was meant. */
export function selectorWords(text: string, groups: ReadonlySet<string>): string {
  const meant = meantBy(text, groups);
  if (meant !== undefined) return `${quote(text)} is not a selector. Did you mean ${quote(meant)}?`;
  const colon = text.indexOf(':');
  const rest = text.slice(colon + 1);
  switch (KINDS.find((kind) => text.startsWith(`${kind}:`))) {
    case 'tag':
      return `${quote(rest)} cannot be a tag: a tag is a word or two with a colon between them, such as "role:dev", of lower-case letters, digits, dots, underscores and dashes.`;
    case 'node':
      return `${quote(rest)} cannot be the name of a node: it has lower-case letters, digits and dashes, and 63 of them at most.`;
    case 'scope':
      return `${quote(rest)} is not a scope: it has three parts, team/surface/environment, and each is a name or *, such as "scope:platform/git/*".`;
    case 'group':
      return `${quote(rest)} cannot be the name of a group.`;
    default:
      return `${quote(text)} is not a selector. A selector is ${EXAMPLES}.`;
  }
}

/** Only what then is a selector is proposed. */
function meantBy(text: string, groups: ReadonlySet<string>): string | undefined {
  if (text.length > 200) return undefined;
  const [kind = '', rest] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];
  const near = text.includes(':') ? nearest(kind.toLowerCase(), KINDS) : undefined;
  const candidates = [
    groups.has(text) ? `group:${text}` : '',
    text.trim().toLowerCase(),
    near === undefined ? '' : `${near}:${rest.trim()}`,
    near === undefined ? '' : `${near}:${rest.trim().toLowerCase()}`,
    text.includes(':') && isTag(text) && near === undefined ? `tag:${text}` : '',
  ];
  return candidates.find((candidate) => parseSelector(candidate) !== undefined);
}

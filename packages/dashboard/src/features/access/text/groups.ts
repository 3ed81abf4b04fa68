import { nodeAt } from './tree.ts';

/** The groups that a text names so far, with their selectors. */
export function groupsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const groups = nodeAt(text, ['groups']);
  if (groups?.type !== 'object') return new Map();
  return new Map(
    groups.children?.map(({ children: [name, selectors] = [] }) => [
      String(name?.value),
      selectors?.type === 'array'
        ? (selectors.children ?? []).filter(({ type }) => type === 'string').map(({ value }) => String(value))
        : [],
    ]),
  );
}

/** A name for a group of those that one selector means, in the form that names of groups have: `tag:role:dev` is `role-dev`. */
export function groupNameFor(selector: string, taken: ReadonlySet<string>): string {
  const base = selector
    .replace(/^(?:tag|node|scope):/, '')
    .toLowerCase()
    .replace(/\*/g, 'all')
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 60)
    .replace(/[^a-z0-9]+$/, '');
  const name = base === '' ? 'group' : base;
  if (!taken.has(name)) return name;
  for (let n = 2; ; n++) if (!taken.has(`${name}-${n}`)) return `${name}-${n}`;
}

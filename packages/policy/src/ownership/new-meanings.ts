import type { PolicyNode } from '../policy-node.ts';
import type { Ownership } from './ownership.ts';
import { type Entry, ownersText } from './ruling.ts';

type Tagged = Pick<PolicyNode, 'id' | 'name' | 'tags' | 'boundary'>;

/** A tag that a new policy gives a meaning, and the nodes that carry it although their boundary could not set it then. */
interface NewMeaning {
  readonly tag: string;
  readonly entry: Entry;
  readonly detail: string;
  /** In order of name. */
  readonly nodes: readonly Tagged[];
}

/** What a new policy would make of tags that are set. In order of tag. */
export function newMeanings(before: Ownership, after: Ownership, nodes: Iterable<Tagged>): readonly NewMeaning[] {
  const found = new Map<string, { readonly ruling: Refusal; readonly nodes: Tagged[] }>();
  for (const node of nodes) {
    for (const tag of node.tags) {
      const ruling = after.tag(node.boundary, tag);
      if (ruling.allowed || !before.tag(node.boundary, tag).allowed) continue;
      const carriers = found.get(tag)?.nodes ?? [];
      carriers.push(node);
      found.set(tag, { ruling, nodes: carriers });
    }
  }
  return [...found]
    .map(([tag, { ruling, nodes: carriers }]) => ({
      tag,
      entry: ruling.entry,
      detail: words(tag, ruling, carriers.length),
      nodes: carriers.sort((a, b) => (a.name < b.name ? -1 : 1)),
    }))
    .sort((a, b) => (a.tag < b.tag ? -1 : 1));
}

type Refusal = Extract<ReturnType<Ownership['tag']>, { allowed: false }>;

function words(tag: string, { owners, entry }: Refusal, count: number): string {
  const carry = `${count === 1 ? '1 node' : `${count} nodes`}`;
  const verb = count === 1 ? 'carries' : 'carry';
  if (owners.length > 0) return `${carry} outside ${ownersText(owners)} ${verb} the tag ${tag}.`;
  return entry.written
    ? `${carry} ${verb} the tag ${tag}, which only the whole mesh owns.`
    : `${carry} ${verb} the tag ${tag}, which this policy uses beyond ${count === 1 ? 'its' : 'their'} own boundary.`;
}

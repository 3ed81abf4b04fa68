/** What nodes have in common, by which the drawing puts them near each other. */
import type { PeerGraph } from '@meshwork/contract';

type GraphNode = PeerGraph['nodes'][number];

/** `links`: not grouped; linked nodes end up near each other. */
export const GROUPINGS = ['links', 'team', 'surface', 'env', 'role', 'relay'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const GROUPING_WORDS: Readonly<Record<Grouping, string>> = {
  links: 'Not grouped',
  team: 'By team',
  surface: 'By surface',
  env: 'By environment',
  role: 'By role',
  relay: 'By relay',
};

export function isGrouping(text: string | undefined): text is Grouping {
  return GROUPINGS.includes(text as Grouping);
}

/** The default grouping: by team where there are teams. */
export function usualGrouping(nodes: readonly GraphNode[]): Grouping {
  const teams = new Set(nodes.map((node) => groupOf(node, 'team')).filter((team) => team !== null));
  return teams.size > 1 ? 'team' : 'links';
}

/** The group of a node by name. Null: it belongs to none, and lies where its links pull it. */
export function groupOf({ tags, relay }: Pick<GraphNode, 'tags' | 'relay'>, grouping: Grouping): string | null {
  if (grouping === 'links') return null;
  if (grouping === 'relay') return relay;
  const prefix = `${grouping}:`;
  return tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length) ?? null;
}

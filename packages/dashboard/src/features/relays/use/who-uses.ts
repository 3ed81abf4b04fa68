/** Which nodes use which relay, counted by what the nodes have in common. */
import type { Node } from '@meshwork/contract';

export type UsingNode = Pick<Node, 'id' | 'name' | 'tags' | 'relay' | 'standby_relay'>;

/** Nodes of one kind: a value of a tag, a single node, or what is left. */
export interface UsingGroup {
  readonly name: string;
  /** Id of a single node. Null: it is more than one. */
  readonly node: string | null;
  /** Finds them in the list of nodes. Null: a single node, or nodes that have nothing in common. */
  readonly search: Readonly<Record<string, string>> | null;
  readonly nodes: number;
  /** How many of them have no relay. */
  readonly without: number;
}

export interface RelayUse {
  /** Place in `groups`. */
  readonly group: number;
  readonly relay: string;
  readonly homes: number;
  readonly standbys: number;
}

interface WhoUses {
  readonly groups: readonly UsingGroup[];
  readonly uses: readonly RelayUse[];
}

/** Nodes one by one. */
export const EACH = 'each';
/** Ours: as many lines as can be followed by eye. */
export const MOST_GROUPS = 20;
/** Those that most meshes have, in the order in which they say most about where a node is. */
const KNOWN = ['site', 'team', 'surface', 'env', 'role'];

/** Ways to group them: the kinds of tags that they have, and one by one if they are few. The first is the default. */
export function groupingsOf(nodes: readonly UsingNode[]): readonly string[] {
  const keys = new Set(nodes.flatMap(({ tags }) => tags.filter((tag) => tag.includes(':')).map(keyOf)));
  const known = KNOWN.filter((key) => keys.has(key));
  const others = [...keys].filter((key) => !KNOWN.includes(key)).sort();
  const each = nodes.length <= MOST_GROUPS ? [EACH] : [];
  const [first, ...rest] = [...known, ...others];
  if (first === 'site') return [first, ...each, ...rest];
  return [...each, ...(first === undefined ? [] : [first, ...rest])];
}

export function whoUses(nodes: readonly UsingNode[], grouping: string): WhoUses {
  const members = Map.groupBy(nodes, (node) => (grouping === EACH ? node.name : (tagValue(node, grouping) ?? '')));
  const sorted = [...members].sort(
    ([one, some], [other, more]) => more.length - some.length || one.localeCompare(other),
  );
  // One group more than fits would be a line that says "1 other".
  const kept = sorted.length > MOST_GROUPS ? sorted.slice(0, MOST_GROUPS - 1) : sorted;
  const rest = sorted.slice(kept.length);
  const shown = kept.map(([value, list]) => ({ list, ...named(value, list, grouping) }));
  if (rest.length > 0) {
    shown.push({ list: rest.flatMap(([, list]) => list), name: `${rest.length} others`, node: null, search: null });
  }
  const groups = shown.map(({ list, name, node, search }) => ({
    name,
    node,
    search,
    nodes: list.length,
    without: list.filter(({ relay }) => relay === null).length,
  }));
  return { groups, uses: shown.flatMap(({ list }, group) => usesOf(list, group)) };
}

function usesOf(nodes: readonly UsingNode[], group: number): RelayUse[] {
  const homes = countBy(nodes, ({ relay }) => relay);
  const standbys = countBy(nodes, ({ standby_relay }) => standby_relay);
  const relays = [...new Set([...homes.keys(), ...standbys.keys()])].sort();
  return relays.map((relay) => ({
    group,
    relay,
    homes: homes.get(relay) ?? 0,
    standbys: standbys.get(relay) ?? 0,
  }));
}

function countBy(nodes: readonly UsingNode[], relayOf: (node: UsingNode) => string | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const relay = relayOf(node);
    if (relay !== null) counts.set(relay, (counts.get(relay) ?? 0) + 1);
  }
  return counts;
}

function named(value: string, list: readonly UsingNode[], grouping: string): Omit<UsingGroup, 'nodes' | 'without'> {
  if (grouping === EACH) return { name: value, node: list[0]?.id ?? null, search: null };
  if (value === '') return { name: `No ${grouping}`, node: null, search: null };
  return { name: value, node: null, search: { tag: `${grouping}:${value}` } };
}

function keyOf(tag: string): string {
  return tag.slice(0, tag.indexOf(':'));
}

function tagValue({ tags }: UsingNode, key: string): string | undefined {
  return tags.find((tag) => tag.startsWith(`${key}:`))?.slice(key.length + 1);
}

/** How links are drawn: one look each, distinguished by colour and pattern. */
import type { PeerGraph } from '@meshwork/contract';
import type { Point } from './layout.ts';

type GraphLink = PeerGraph['links'][number];

export const LINK_LOOKS = ['direct', 'relayed', 'idle', 'half', 'down', 'unknown'] as const;
type LinkLook = (typeof LINK_LOOKS)[number];

/** A working link is drawn by its path, any other by its state. */
export function lookOf({ state, path }: Pick<GraphLink, 'state' | 'path'>): LinkLook {
  if (state !== 'up') return state;
  return path === 'relay' || path === 'mixed' ? 'relayed' : 'direct';
}

/** Problems first. */
const ORDER: readonly GraphLink['state'][] = ['down', 'half', 'unknown', 'idle', 'up'];

export function byTrouble(one: Pick<GraphLink, 'state'>, other: Pick<GraphLink, 'state'>): number {
  return ORDER.indexOf(one.state) - ORDER.indexOf(other.state);
}

export const LOOK_WORDS: Readonly<Record<LinkLook, string>> = {
  direct: 'Direct',
  relayed: 'Relayed',
  idle: 'Not in use',
  half: 'One side only',
  down: 'Down',
  unknown: 'Unknown',
};

/**
 * The links of one look as one SVG path. Twenty thousand elements would make the page crawl; six paths do not.
 */
export function pathsOf(
  links: readonly GraphLink[],
  pointAt: (place: number) => Point | undefined,
): Readonly<Record<LinkLook, string>> {
  const paths: Record<LinkLook, string[]> = { direct: [], relayed: [], idle: [], half: [], down: [], unknown: [] };
  for (const link of links) {
    const [a, b] = [pointAt(link.a), pointAt(link.b)];
    if (a !== undefined && b !== undefined) paths[lookOf(link)].push(`M${a.x} ${a.y}L${b.x} ${b.y}`);
  }
  const joined = (look: LinkLook) => paths[look].join('');
  return {
    direct: joined('direct'),
    relayed: joined('relayed'),
    idle: joined('idle'),
    half: joined('half'),
    down: joined('down'),
    unknown: joined('unknown'),
  };
}

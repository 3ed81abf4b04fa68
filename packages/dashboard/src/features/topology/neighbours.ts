/** Who is linked with whom, by place in the graph. */
import type { PeerGraph } from '@meshwork/contract';

export type Neighbours = ReadonlyMap<number, readonly number[]>;

/** Places of the links of each node. */
export function linksByNode(links: PeerGraph['links']): Neighbours {
  const found = new Map<number, number[]>();
  for (const [place, { a, b }] of links.entries()) {
    for (const end of [a, b]) {
      const known = found.get(end);
      if (known === undefined) found.set(end, [place]);
      else known.push(place);
    }
  }
  return found;
}

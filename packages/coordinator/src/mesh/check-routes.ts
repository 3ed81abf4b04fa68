/** Which networks a node may have behind it, checked alike at enrolment, in heartbeats and at approval. */
import { embedsFour, formatNetwork, isDefaultRoute, overlaps, parseAddress, parseNetwork } from '@meshwork/addresses';
import { invalid } from '@meshwork/contract';
import { reservedProblem } from '@meshwork/policy';
import type { RefusedRoute } from '../kinds/nodes.ts';
import type { View } from './model.ts';
import { ownNetworks } from './own-networks.ts';

/** Throws for the first that no node can have behind it. */
export function checkRoutes(view: View, pointer: string, routes: readonly string[]): void {
  for (const [index, text] of routes.entries()) {
    const problem = routeProblem(view, text);
    if (problem !== undefined) throw invalid(`${pointer}/${index}`, problem);
  }
}

/** What an agent offers, less what no node can have behind it: one bad network must not cost the whole report. */
export function sortOffers(
  view: View,
  routes: readonly string[],
): { readonly offered: readonly string[]; readonly refused: readonly RefusedRoute[] } {
  const offered: string[] = [];
  const refused: RefusedRoute[] = [];
  for (const cidr of routes) {
    const reason = routeProblem(view, cidr);
    if (reason === undefined) offered.push(cidr);
    else refused.push({ cidr, reason });
  }
  return { offered, refused };
}

/** Why the network cannot be behind a node, and what would be right. Undefined: it can. */
export function routeProblem(view: View, text: string): string | undefined {
  if (isIPv4InDisguise(text)) return `${text} is an IPv4 network written as IPv6; write it as IPv4`;
  const network = parseNetwork(text);
  if (network === undefined) return `"${text}" is not a network; is a bit set behind its prefix?`;
  const reserved = reservedProblem(network);
  if (reserved !== undefined || isDefaultRoute(network)) return reserved;
  const touched = Object.values(ownNetworks(view)).find((one) => overlaps(network, one));
  if (touched === undefined) return undefined;
  return `${text} overlaps ${formatNetwork(touched)}, the addresses of the mesh itself; name a network outside of it`;
}

/** Such as `::ffff:10.0.0.0/104`. It is written in more ways than one, and agents take none of them. */
function isIPv4InDisguise(network: string): boolean {
  const address = parseAddress(network.split('/')[0] ?? '');
  return address !== undefined && embedsFour(address);
}

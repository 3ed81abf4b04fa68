import { isDefaultRoute, overlaps, parseNetwork } from '@meshwork/addresses';
import { invalid } from '@meshwork/contract';
import type { View } from '../../mesh/model.ts';
import { ownNetworks } from '../../mesh/own-networks.ts';

/** Addresses of the mesh must not be ones that a node was allowed to forward to: its peers would send them there. */
export function ensureOffRoutes(view: View): void {
  const { pool, prefix6 } = ownNetworks(view);
  for (const cidr of approvedRoutes(view)) {
    const network = parseNetwork(cidr);
    // A default route means everything else, and leaves the mesh its addresses.
    if (network === undefined || isDefaultRoute(network)) continue;
    for (const [field, own] of [
      ['address_pool', pool],
      ['address6_prefix', prefix6],
    ] as const) {
      if (overlaps(network, own)) {
        throw invalid(`/nodes/${field}`, `overlaps ${cidr}, which nodes may forward to`);
      }
    }
  }
}

function approvedRoutes(view: View): ReadonlySet<string> {
  const routes = new Set<string>();
  for (const { body } of view.all('node')) {
    if (body.removed_at === null) for (const cidr of body.routes_approved) routes.add(cidr);
  }
  return routes;
}

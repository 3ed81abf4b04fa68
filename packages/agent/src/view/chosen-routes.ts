/** What follows from the view for more than one engine. Pure: the same view gives the same answer. */
import { type AcceptRoutes, chooseRoutes, type RouteOption, routeOptions } from '@meshwork/policy/routes';
import type { HeldView } from './held-view.ts';

/** Through which peer each network is reached, by the function that the coordinator explains it with. */
export function chosenRoutes(view: HeldView, accept: AcceptRoutes): ReadonlyMap<string, RouteOption> {
  const options: RouteOption[] = [];
  for (const terms of view.acl.all()) {
    if (terms.routes.length > 0 && view.peers.get(terms.peer) !== undefined) {
      options.push(...routeOptions(terms.peer, terms));
    }
  }
  return chooseRoutes(options, accept);
}

/** Addresses in the mesh are sent with all of their bits as prefix. */
export function withoutPrefix(address: string): string {
  return address.slice(0, address.lastIndexOf('/'));
}

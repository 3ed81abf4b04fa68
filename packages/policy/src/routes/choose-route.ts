import { type Address, holds, parseNetwork } from '@meshwork/addresses';
import { type AcceptRoutes, acceptsRoute } from './accept-routes.ts';

/**
 * Why a node may use a provider, best first. `own`: both are in one boundary. `via`: a grant names the provider.
 * `shared`: the network was approved for the whole mesh.
 */
type RouteSource = 'own' | 'via' | 'shared';

const RANK: Readonly<Record<RouteSource, number>> = { own: 0, via: 1, shared: 2 };

/** One way into a network. */
export interface RouteOption {
  readonly network: string;
  /** Id of the node that forwards. Ids rise with time, so the lower one has been a member for longer. */
  readonly provider: string;
  readonly source: RouteSource;
}

/** The routes that a node is sent through a peer: see `Terms`. */
interface RouteTerms {
  readonly routes: readonly string[];
  readonly routes_via?: readonly string[];
  readonly routes_shared?: readonly string[];
}

export function* routeOptions(
  provider: string,
  { routes, routes_via, routes_shared }: RouteTerms,
): Generator<RouteOption> {
  for (const network of routes) {
    const source = routes_via?.includes(network) ? 'via' : routes_shared?.includes(network) ? 'shared' : 'own';
    yield { network, provider, source };
  }
}

/**
 * The one provider that a node uses for each network. A provider of the node's own boundary wins over one that a grant
 * names, and that over one that is shared with the whole mesh. Among equals, the one that has been a member for longest
 * wins: names are free to choose, ids are not. What the host does not accept is left out.
 */
export function chooseRoutes(
  options: Iterable<RouteOption>,
  accept: AcceptRoutes | null,
): ReadonlyMap<string, RouteOption> {
  const chosen = new Map<string, RouteOption>();
  for (const option of options) {
    if (!acceptsRoute(accept, option.network)) continue;
    const present = chosen.get(option.network);
    if (present === undefined || isBetter(option, present)) chosen.set(option.network, option);
  }
  return chosen;
}

/** Where a packet to the address goes: the longest prefix wins, as it does in the kernel. Undefined: nowhere. */
export function routeTo(chosen: ReadonlyMap<string, RouteOption>, address: Address): RouteOption | undefined {
  let best: { readonly option: RouteOption; readonly prefix: number } | undefined;
  for (const [text, option] of chosen) {
    const network = parseNetwork(text);
    if (network === undefined || !holds(network, address)) continue;
    if (best === undefined || network.prefix > best.prefix) best = { option, prefix: network.prefix };
  }
  return best?.option;
}

function isBetter(one: RouteOption, other: RouteOption): boolean {
  const difference = RANK[one.source] - RANK[other.source];
  return difference === 0 ? one.provider < other.provider : difference < 0;
}

import {
  encloses,
  type Family,
  formatNetwork,
  isDefaultRoute,
  isSingleAddress,
  type Network,
  readNetwork,
} from '@meshwork/addresses';
import { ROUTE_TABLE, RULE_PRIORITY, WIREGUARD_MARK } from '../../host/own-numbers.ts';
import type { NetworkPlan } from './mesh-network.ts';
import type { SeenNetwork } from './seen-network.ts';
import { sizedRoutes } from './sized-routes.ts';

/** In the words of `SeenNetwork`, so that the two can be compared. */
export type WantedNetwork = Pick<SeenNetwork, 'routes' | 'rules'> & {
  readonly addresses: Readonly<Record<Family, readonly string[]>>;
};

/**
 * A network that the host itself is in stays the host’s own, whatever is routed into the mesh: it is there already, and
 * the way through a peer is longer at best. Where a route is as wide or narrower, it is left out; where it is wider, the
 * host’s network is taken out of it by a rule. Not so a network of the host in which its own mesh address lies too: then
 * the two claim the same addresses, and the mesh, which has no others, wins.
 */
export function wantedNetwork(
  plan: NetworkPlan,
  { families, connected }: Pick<SeenNetwork, 'families' | 'connected'>,
  mtus: ReadonlyMap<string, number> = new Map(),
): WantedNetwork {
  const own = plan.addresses.map(readNetwork);
  const keptOut = plan.kept_out.map(readNetwork);
  for (const address of plan.addresses) assertHarmless(address, keptOut);
  const local = connected.filter((network) => !own.some((address) => encloses(network, address)));
  const routes = plan.routes.map(readNetwork).filter((route) => !local.some((network) => encloses(network, route)));
  const narrow = Array.from(mtus, ([text, mtu]) => ({ network: readNetwork(text), mtu }));
  const forFamily = (family: Family) => {
    const ofFamily = (networks: readonly Network[]) =>
      families.includes(family) ? networks.filter((network) => network.family === family) : [];
    const into = ofFamily(routes);
    const sized = sizedRoutes(family, into, narrow);
    return {
      addresses: texts(ofFamily(own)),
      routes: sized.routes,
      rules:
        into.length === 0
          ? []
          : [...sized.rules, ...rulesFor(into, { keptOut: ofFamily(keptOut), local: ofFamily(local) })],
    };
  };
  const [four, six] = [forFamily(4), forFamily(6)];
  return {
    addresses: { 4: four.addresses, 6: six.addresses },
    routes: { 4: four.routes, 6: six.routes },
    rules: { 4: four.rules, 6: six.rules },
  };
}

/**
 * The last line of defence: the kernel gives every address a route in its own tables, which are asked before ours. One with a
 * network behind it would take that from the host, and that of a coordinator would cut the node off for good.
 */
function assertHarmless(text: string, keptOut: readonly Network[]): void {
  const address = readNetwork(text);
  if (!isSingleAddress(address)) throw new Error(`${text} is a whole network, and no address for a node.`);
  if (keptOut.some((one) => isSingleAddress(one) && encloses(one, address)))
    throw new Error(`${text} is the address of a coordinator.`);
}

/** See `RULE_PRIORITY` for what each is there for. */
function rulesFor(
  routes: readonly Network[],
  { keptOut, local }: { readonly keptOut: readonly Network[]; readonly local: readonly Network[] },
): readonly string[] {
  const covered = local.filter((network) => routes.some((route) => !isDefaultRoute(route) && encloses(route, network)));
  return [
    `pref ${RULE_PRIORITY.wireguard} fwmark 0x${WIREGUARD_MARK.toString(16)} lookup main`,
    ...texts(keptOut).map((address) => `pref ${RULE_PRIORITY.kept_out} to ${address} lookup main`),
    ...texts(covered).map((network) => `pref ${RULE_PRIORITY.connected} to ${network} lookup main`),
    `pref ${RULE_PRIORITY.mesh} lookup ${ROUTE_TABLE} suppress_prefixlength 0`,
    ...(routes.some(isDefaultRoute)
      ? [
          `pref ${RULE_PRIORITY.host} lookup main suppress_prefixlength 0`,
          `pref ${RULE_PRIORITY.rest} lookup ${ROUTE_TABLE}`,
        ]
      : []),
  ];
}

function texts(networks: readonly Network[]): readonly string[] {
  return [...new Set(networks.map(formatNetwork))].toSorted();
}

import {
  encloses,
  type Family,
  formatNetwork,
  isDefaultRoute,
  isSingleAddress,
  type Network,
} from '@meshwork/addresses';
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import { AGENT_PORT, FULL_SIZE_TABLE, RULE_PRIORITY } from '../../host/own-numbers.ts';

/** A network, and the MTU of what is sent there. */
interface NarrowNetwork {
  readonly network: Network;
  readonly mtu: number;
}

interface SizedRoutes {
  readonly routes: readonly string[];
  readonly rules: readonly string[];
}

/** Every network of IPv6 carries that much, by definition. */
const MIN_MTU: Readonly<Record<Family, number>> = { 4: 0, 6: 1280 };

/**
 * Routes of one family in the words of `ip`. A network that is narrow has its MTU, and a peer's address in a network that is not
 * gets a route of its own. What agents ask each other by IPv4 has to leave as it is, to find out whether that still holds: the
 * kernel would make fragments of it.
 */
export function sizedRoutes(family: Family, into: readonly Network[], narrow: readonly NarrowNetwork[]): SizedRoutes {
  const mtus = new Map<string, string>();
  const covers = new Set<string>();
  const routed = new Set(into.map(formatNetwork));
  for (const { network, mtu } of narrow) {
    if (network.family !== family) continue;
    const text = formatNetwork(network);
    const cover = into.find((route) => !isDefaultRoute(route) && encloses(route, network));
    if (!routed.has(text) && (cover === undefined || !isSingleAddress(network))) continue;
    mtus.set(text, ` mtu ${Math.max(mtu, MIN_MTU[family])}`);
    if (cover !== undefined && family === 4) covers.add(formatNetwork(cover));
  }
  const networks = new Set([...routed, ...mtus.keys()]);
  return {
    routes: [
      ...[...networks].toSorted().map((text) => `${text} dev ${MESH_INTERFACE}${mtus.get(text) ?? ''}`),
      ...[...covers].toSorted().map((text) => `${text} dev ${MESH_INTERFACE} table ${FULL_SIZE_TABLE}`),
    ],
    rules:
      covers.size === 0
        ? []
        : [`pref ${RULE_PRIORITY.full_size} ipproto udp sport ${AGENT_PORT} lookup ${FULL_SIZE_TABLE}`],
  };
}

/** The MTU of a route in the words of `ip`, and its network. Undefined: it has none of its own. */
export function narrowRoute(route: string): readonly [network: string, mtu: number] | undefined {
  const [, network, mtu] = route.match(/^(\S+) dev \S+ mtu (\d+)$/) ?? [];
  return network === undefined ? undefined : [network, Number(mtu)];
}

/** Two routes that are the same by this cannot be there together. */
export function withoutMtu(route: string): string {
  return route.replace(/ mtu \d+/, '');
}

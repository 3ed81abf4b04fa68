import {
  DEFAULT_ROUTE,
  formatNetwork,
  intersect,
  isDefaultRoute,
  type Network,
  parseNetwork,
} from '@meshwork/addresses';

interface Reserved {
  readonly network: Network;
  readonly what: string;
}

/** Ranges that can never be behind a node: packets for them do not leave a host, or mean something else on each host. */
const RESERVED_NETWORKS: readonly Reserved[] = [
  reserved('0.0.0.0/8', 'addresses of “this network”'),
  reserved('127.0.0.0/8', 'loopback addresses'),
  reserved('169.254.0.0/16', 'link-local addresses'),
  reserved('224.0.0.0/4', 'multicast addresses'),
  reserved('240.0.0.0/4', 'reserved addresses and broadcast'),
  reserved('::/128', 'the unspecified address'),
  reserved('::1/128', 'the loopback address'),
  reserved('::ffff:0:0/96', 'IPv4 addresses written as IPv6'),
  reserved('fe80::/10', 'link-local addresses'),
  reserved('ff00::/8', 'multicast addresses'),
];

/** Why a network can never be behind a node, and what would be right. Undefined: it can be. */
export function reservedProblem(network: Network): string | undefined {
  if (isDefaultRoute(network)) return undefined;
  const found = RESERVED_NETWORKS.find((one) => intersect(network, one.network) !== undefined);
  if (found === undefined) return undefined;
  const [asked, range] = [formatNetwork(network), formatNetwork(found.network)];
  if (network.prefix >= found.network.prefix) {
    return `${asked} is in ${range} (${found.what}), which can never be behind a node`;
  }
  return `${asked} contains ${range} (${found.what}), which can never be behind a node; name the networks that are, or ${DEFAULT_ROUTE[network.family]} for everything else`;
}

function reserved(text: string, what: string): Reserved {
  const network = parseNetwork(text);
  if (network === undefined) throw new Error(`${text} is not a network.`);
  return { network, what };
}

/**
 * Whether two networks lay claim to the same addresses. A default route means everything else, so it gets into the way of
 * another default route only.
 */
export function networksClash(a: Network, b: Network): boolean {
  return isDefaultRoute(a) === isDefaultRoute(b) && intersect(a, b) !== undefined;
}

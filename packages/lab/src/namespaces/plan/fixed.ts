/**
 * What is the same in every lab. Imports nothing: the keeper and its door need no more of the plan than this, and start the
 * sooner for it.
 */
export const NAMESPACE_PREFIX = 'meshlab-';

/** The network that joins nodes and routers: one switch, on which all reach each other directly. */
export interface Underlay {
  /** Nodes, with the switch itself at `gateway`. */
  readonly network: string;
  readonly gateway: string;
  readonly prefix: number;
  /** Routers of sites, on the same switch. Null: the lab has none. */
  readonly routers: string | null;
  /** By which nodes find the coordinator; it is in the hosts file of each. Null: they find it by its address. */
  readonly coordinator_name: string | null;
  readonly network6: string;
  readonly gateway6: string;
  readonly prefix6: number;
}

/** Of a lab without sites. */
export const UNDERLAY = {
  network: '10.213.0.0/16',
  gateway: '10.213.0.1',
  prefix: 16,
  routers: null,
  coordinator_name: null,
  /** Random, as RFC 4193 demands: other networks are unlikely to have it. */
  network6: 'fd5a:1ab7:400e::',
  gateway6: 'fd5a:1ab7:400e::1',
  prefix6: 64,
} as const satisfies Underlay;

/** Of a lab with sites. Agents take these for public addresses; they are for documentation (RFC 5737, RFC 3849), so no host has them. */
export const PUBLIC_UNDERLAY = {
  network: '203.0.113.0/24',
  gateway: '203.0.113.1',
  prefix: 24,
  routers: '198.51.100.0/24',
  /** Some nodes have IPv4 alone, others IPv6. */
  coordinator_name: 'coordinator.test',
  network6: '2001:db8::',
  gateway6: '2001:db8::1',
  prefix6: 64,
} as const satisfies Underlay;

/** By which all nodes of a lab with sites find one that is in none. */
export function outsideName(node: string): string {
  return `${node}.test`;
}

/** Where `ip netns exec` takes files from that a namespace has instead of those in /etc. */
export const ETC_NETNS = '/etc/netns';

/** What the names of all namespaces of a lab begin with. A lab has no dash in its name, so that this is of one lab only. */
export function namespacePrefix(lab: string): string {
  return `${NAMESPACE_PREFIX}${lab}-`;
}

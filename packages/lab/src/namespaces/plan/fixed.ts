/**
 * What is the same in every lab. Imports nothing: the keeper and its door need no more of the plan than this, and start the
 * sooner for it.
 */
export const NAMESPACE_PREFIX = 'meshlab-';
export const UNDERLAY = {
  network: '10.213.0.0/16',
  gateway: '10.213.0.1',
  prefix: 16,
  /** Random, as RFC 4193 demands: other networks are unlikely to have it. */
  network6: 'fd5a:1ab7:400e::',
  gateway6: 'fd5a:1ab7:400e::1',
  prefix6: 64,
} as const;

/** Where `ip netns exec` takes files from that a namespace has instead of those in /etc. */
export const ETC_NETNS = '/etc/netns';

/** What the names of all namespaces of a lab begin with. A lab has no dash in its name, so that this is of one lab only. */
export function namespacePrefix(lab: string): string {
  return `${NAMESPACE_PREFIX}${lab}-`;
}

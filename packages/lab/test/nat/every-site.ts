import type { NodeSpec, SiteSpec } from '../../src/namespaces/plan/lab-spec.ts';
import { NAT_KINDS } from '../../src/namespaces/plan/nat-kinds.ts';

/** Two of them have it, as homes do: an address inside says nothing of where a node is. */
const HOME_LAN = '192.168.1.0/24';

/**
 * One site for each way of being connected that a lab knows: every kind of NAT under its own name, and those that differ
 * in something else. Each has one node, called after it with `-1`.
 */
export const EVERY_SITE: readonly SiteSpec[] = [
  ...NAT_KINDS.map((nat) => ({
    name: nat,
    nat,
    hairpin: nat === 'full-cone',
    ...(nat === 'port-restricted' || nat === 'masquerade' ? { lan: HOME_LAN } : {}),
  })),
  { name: 'carrier', nat: 'full-cone' },
  { name: 'double', nat: 'port-restricted', behind: 'carrier' },
  { name: 'hard-carrier', nat: 'masquerade-fully-random' },
  { name: 'hard-double', nat: 'full-cone', behind: 'hard-carrier' },
  { name: 'tcp-only', nat: 'masquerade', egress: 'tcp-only' },
  { name: 'tcp-443-only', nat: 'masquerade', egress: 'tcp-443-only' },
  { name: 'ipv6-only', families: 'ipv6-only' },
  { name: 'dual-stack', nat: 'port-restricted', families: 'dual-stack' },
];

/** Two outside of all sites, where relays are, and one in each site. */
export const NODE_IN_EVERY_SITE: readonly NodeSpec[] = [
  { name: 'pub-1' },
  { name: 'pub-2' },
  ...EVERY_SITE.filter(({ name }) => !EVERY_SITE.some(({ behind }) => behind === name)).map(({ name }) => ({
    name: `${name}-1`,
    site: name,
  })),
];

import type { NodeSpec, SiteSpec } from '../../src/namespaces/plan/lab-spec.ts';
import { NAT_BEHAVIOURS, NAT_KINDS } from '../../src/namespaces/plan/nat-kinds.ts';

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

/** What a node is behind, as far as it says whether a direct path can be found. */
interface Outlook {
  readonly four: boolean;
  readonly six: boolean;
  readonly udp: boolean;
  /** Whether every peer sees it at the same port. */
  readonly steady: boolean;
  /** Whether the port that the next peer sees it at can be guessed. */
  readonly counts: boolean;
  /** Which packets pass that it did not ask for: all, those from an address that it sent to, or none. */
  readonly admits: 'all' | 'address' | 'none';
}

const ADMITS = {
  'endpoint-independent': 'all',
  'address-dependent': 'address',
  'address-and-port-dependent': 'none',
} as const;

function outlookOf(node: string): Outlook {
  const spec = NODE_IN_EVERY_SITE.find(({ name }) => name === node);
  const site = EVERY_SITE.find(({ name }) => name === spec?.site);
  if (site === undefined) return { four: true, six: true, udp: true, steady: true, counts: false, admits: 'all' };
  const routers = [site, EVERY_SITE.find(({ name }) => name === site.behind)].filter((one) => one !== undefined);
  const nats = routers.flatMap(({ nat }) => (nat === undefined ? [] : [NAT_BEHAVIOURS[nat]]));
  const admits = (['none', 'address', 'all'] as const).find((one) =>
    nats.some(({ filtering }) => ADMITS[filtering] === one),
  );
  return {
    four: site.families !== 'ipv6-only',
    six: site.families !== undefined,
    udp: site.egress === undefined,
    counts: site.nat === 'symmetric',
    steady: nats.every(({ mapping }) => mapping === 'endpoint-independent'),
    admits: admits ?? 'all',
  };
}

/** How packets should go between two nodes once a path was looked for. */
export function expectedPath(a: string, b: string): 'direct' | 'relay' {
  const [one, other] = [outlookOf(a), outlookOf(b)];
  if (!one.udp || !other.udp) return 'relay';
  if (one.six && other.six) return 'direct'; // sites with IPv6 have no NAT for it
  if (!one.four || !other.four) return 'relay';
  if (one.steady && other.steady) return 'direct';
  // One that shows each peer another port is met by one that lets in whatever comes from its address, or that guesses the port.
  const isMet = (hard: Outlook, { steady, admits }: Outlook) => steady && (admits !== 'none' || hard.counts);
  return isMet(one, other) || isMet(other, one) ? 'direct' : 'relay';
}

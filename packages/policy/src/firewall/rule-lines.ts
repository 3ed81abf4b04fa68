import { formatNetwork } from '@meshwork/addresses';
import { checkedNetwork } from './checked.ts';
import { DEFAULT_BURST, type Direction, type FirewallRule, LOG_RATE, type Protocol, type Rate } from './rule.ts';

/** The host rules in the language of nftables. */
export interface RuleLines {
  /** Named, because the lines of one rule for IPv4 and for IPv6 share it. */
  readonly limits: readonly { readonly name: string; readonly rate: string }[];
  readonly chains: Readonly<Record<Direction, readonly string[]>>;
}

export function ruleLines(rules: readonly FirewallRule[], meshInterface: string): RuleLines {
  const limits: { name: string; rate: string }[] = [];
  const chains: Record<Direction, string[]> = { in: [], out: [], forward: [] };
  for (const rule of rules) {
    const limit = `rate_${limits.length + 1}`;
    const rate = rule.rate ?? (rule.action === 'log' ? LOG_RATE : undefined);
    if (rate !== undefined) limits.push({ name: limit, rate: rateText(rate) });
    for (const match of matchesOf(rule, meshInterface)) {
      for (const verdict of verdictsOf(rule, limit)) {
        chains[rule.direction].push([...match, verdict, `comment "rule ${rule.id}"`].join(' '));
      }
    }
  }
  return { limits, chains };
}

export function rateText({ count, per, burst = DEFAULT_BURST }: Rate): string {
  return `rate ${count}/${per} burst ${burst} packets`;
}

/**
 * `accept` is a `return`: it leaves the chain of the host rules, and what comes through the mesh goes on to the policy.
 * With a rate, a flow that is open already must not be counted again, or the next `drop` would end it halfway.
 */
function verdictsOf(rule: FirewallRule, limit: string): readonly string[] {
  const upTo = `ct state new limit name "${limit}"`;
  switch (rule.action) {
    case 'drop':
      return ['counter drop'];
    case 'log':
      return [`${upTo} log prefix "mesh rule ${rule.id}: " level info`];
    case 'accept':
      return rule.rate === undefined ? ['return'] : ['ct state established return', `${upTo} return`];
  }
}

/** One match for each family of addresses that the rule names, or one for both. */
function matchesOf(rule: FirewallRule, meshInterface: string): readonly (readonly string[])[] {
  const common = [...interfaceMatch(rule, meshInterface)];
  const protocol = protocolMatch(rule);
  if (rule.from === undefined && rule.to === undefined) return [[...common, ...protocol]];
  return ([4, 6] as const).flatMap((family) => {
    const from = addressMatch('saddr', rule.from, family);
    const to = addressMatch('daddr', rule.to, family);
    return from === undefined || to === undefined ? [] : [[...common, ...from, ...to, ...protocol]];
  });
}

function interfaceMatch(rule: FirewallRule, meshInterface: string): readonly string[] {
  if (rule.interface === 'any') return [];
  const name = rule.interface === 'mesh' ? meshInterface : rule.interface;
  return [`${rule.direction === 'out' ? 'oifname' : 'iifname'} "${name}"`];
}

/** Undefined: the rule names networks, and none of this family. */
function addressMatch(
  side: 'saddr' | 'daddr',
  texts: readonly string[] | undefined,
  family: 4 | 6,
): readonly string[] | undefined {
  if (texts === undefined) return [];
  const networks = texts.map(checkedNetwork).filter((network) => network.family === family);
  if (networks.length === 0) return undefined;
  const sorted = networks.sort((a, b) => (a.base < b.base ? -1 : 1)).map(formatNetwork);
  return [`${family === 4 ? 'ip' : 'ip6'} ${side} ${oneOf(sorted)}`];
}

// `icmpv6` is a word of nft itself; `ipv6-icmp` is looked up in /etc/protocols, which a minimal Debian does not have.
const PROTOCOLS: Readonly<Record<Protocol, readonly string[]>> = {
  any: [],
  tcp: ['meta l4proto tcp'],
  udp: ['meta l4proto udp'],
  icmp: ['meta l4proto { icmp, icmpv6 }'],
};

function protocolMatch({ protocol, ports }: FirewallRule): readonly string[] {
  if (ports === undefined) return PROTOCOLS[protocol];
  const sorted = ports.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  return [`${protocol} dport ${oneOf(sorted)}`];
}

function oneOf(items: readonly string[]): string {
  return items.length === 1 ? `${items[0]}` : `{ ${items.join(', ')} }`;
}

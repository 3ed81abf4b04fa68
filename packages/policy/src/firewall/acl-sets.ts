import { formatAddress, formatNetwork, intersect, type Network, parseAddress } from '@meshwork/addresses';
import type { Terms } from '../engine/cohort.ts';
import { checkedAllow, checkedNetwork } from './checked.ts';
import { mergeSpans, type Spans, subtractSpans } from './spans.ts';

/** A peer, and what the policy lets it do here. */
export interface AclPeer {
  /** Its addresses in the mesh, which no other peer has. */
  readonly addresses: readonly string[];
  readonly terms: Pick<Terms, 'allow' | 'forward'>;
}

/** What a peer may do on the node and behind it, by how much has to be looked at, and by family. */
export type AclSetName = `${'on' | 'behind'}_${'any' | 'icmp' | 'ports'}${4 | 6}`;
/** Elements as nftables writes them, sorted. */
export type AclSets = Readonly<Record<AclSetName, readonly string[]>>;

/**
 * One declaration a set. All of them are always there, so that the first grant of its kind is one more element and not
 * another table. Sets of plain addresses are hash tables; ranges of ports and networks need `interval`.
 */
export const SET_TYPES: Readonly<Record<AclSetName, readonly string[]>> = {
  on_any4: ['type ipv4_addr'],
  on_any6: ['type ipv6_addr'],
  on_icmp4: ['type ipv4_addr'],
  on_icmp6: ['type ipv6_addr'],
  on_ports4: ['type ipv4_addr . inet_proto . inet_service', 'flags interval'],
  on_ports6: ['type ipv6_addr . inet_proto . inet_service', 'flags interval'],
  behind_any4: ['type ipv4_addr . ipv4_addr', 'flags interval'],
  behind_any6: ['type ipv6_addr . ipv6_addr', 'flags interval'],
  behind_icmp4: ['type ipv4_addr . ipv4_addr', 'flags interval'],
  behind_icmp6: ['type ipv6_addr . ipv6_addr', 'flags interval'],
  behind_ports4: ['type ipv4_addr . ipv4_addr . inet_proto . inet_service', 'flags interval'],
  behind_ports6: ['type ipv6_addr . ipv6_addr . inet_proto . inet_service', 'flags interval'],
};

export const SET_NAMES = Object.keys(SET_TYPES) as readonly AclSetName[];

export function aclSets(peers: readonly AclPeer[]): AclSets {
  const sets = Object.fromEntries(SET_NAMES.map((name) => [name, [] as string[]])) as Record<AclSetName, string[]>;
  const seen = new Set<string>();
  // Equal terms are one object, and thousands of peers share a few of them.
  const endings = new Map<AclPeer['terms'], readonly Ending[]>();
  for (const { addresses, terms } of peers) {
    const known = endings.get(terms) ?? endingsOf(terms);
    endings.set(terms, known);
    for (const text of addresses) {
      const { family, source } = sourceOf(text);
      if (seen.has(source)) throw new Error(`Two peers have the address ${source}.`);
      seen.add(source);
      for (const ending of known) if (ending.family === family) sets[ending.set].push(source + ending.text);
    }
  }
  for (const name of SET_NAMES) sets[name].sort();
  return sets;
}

function sourceOf(text: string): { readonly family: 4 | 6; readonly source: string } {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`${text} is no address of a peer.`);
  return { family: address.family, source: formatAddress(address) };
}

/** An element but for the address of the peer, which comes first. */
interface Ending {
  readonly set: AclSetName;
  readonly family: 4 | 6;
  readonly text: string;
}

function endingsOf({ allow, forward }: AclPeer['terms']): readonly Ending[] {
  const on = openedBy(allow);
  return [
    ...endingsIn('on', { family: 4, where: '', opened: on }),
    ...endingsIn('on', { family: 6, where: '', opened: on }),
    ...disjoint(forward).flatMap(({ network, opened }) =>
      endingsIn('behind', { family: network.family, where: ` . ${formatNetwork(network)}`, opened }),
    ),
  ];
}

function endingsIn(
  place: 'on' | 'behind',
  { family, where, opened }: { readonly family: 4 | 6; readonly where: string; readonly opened: Opened },
): readonly Ending[] {
  return [
    ...(opened.any ? [{ set: `${place}_any${family}`, family, text: where } as const] : []),
    ...(opened.icmp ? [{ set: `${place}_icmp${family}`, family, text: where } as const] : []),
    ...portElements(opened).map((element) => ({
      set: `${place}_ports${family}` as const,
      family,
      text: `${where} . ${element}`,
    })),
  ];
}

/** What a list of allow items opens, taken apart by the sets it goes into. */
interface Opened {
  readonly any: boolean;
  readonly icmp: boolean;
  readonly tcp: Spans;
  readonly udp: Spans;
}

function openedBy(allow: readonly string[]): Opened {
  const items = allow.map(checkedAllow);
  const ports = (protocol: 'tcp' | 'udp') =>
    mergeSpans(
      items
        .filter((item) => item.protocol === protocol)
        .map(({ from, to }) => ({ first: BigInt(from), last: BigInt(to) })),
    );
  const has = (protocol: 'any' | 'icmp') => items.some((item) => item.protocol === protocol);
  return without({ any: has('any'), icmp: has('icmp'), tcp: ports('tcp'), udp: ports('udp') }, NOTHING);
}

const NOTHING: Opened = { any: false, icmp: false, tcp: [], udp: [] };

/** What `opened` adds where `already` holds. */
function without(opened: Opened, already: Opened): Opened {
  if (already.any) return NOTHING;
  if (opened.any) return { ...NOTHING, any: true };
  return {
    any: false,
    icmp: opened.icmp && !already.icmp,
    tcp: subtractSpans(opened.tcp, already.tcp),
    udp: subtractSpans(opened.udp, already.udp),
  };
}

/**
 * The kernel refuses an element of ranges that overlaps one already in the set, depending on which came first. Networks
 * contain each other or have nothing in common, so it is enough that a network opens only what no wider one does.
 */
function disjoint(forward: Terms['forward']): readonly { readonly network: Network; readonly opened: Opened }[] {
  const all = forward.map(({ to, allow }) => ({ network: checkedNetwork(to), opened: openedBy(allow) }));
  return all.map(({ network, opened }) => {
    const wider = all.filter((other) => other.network.prefix < network.prefix && intersect(other.network, network));
    return { network, opened: wider.reduce((rest, other) => without(rest, other.opened), opened) };
  });
}

function portElements({ tcp, udp }: Opened): readonly string[] {
  const written = (protocol: string, ports: Spans) =>
    ports.map(({ first, last }) => `${protocol} . ${first === last ? first : `${first}-${last}`}`);
  return [...written('tcp', tcp), ...written('udp', udp)];
}

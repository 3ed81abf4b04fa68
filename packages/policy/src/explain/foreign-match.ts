import { enclosingNetwork, holds, parseAddress } from '@meshwork/addresses';
import type { ForeignFacts } from './facts.ts';

/** A packet as rules of other programs may look at it. What is undefined is not known. */
export interface ForeignPacket {
  readonly direction: ForeignFacts['direction'];
  /** Whether an interface may be the one it comes or goes by. */
  readonly isBy: (name: string) => boolean;
  readonly from: readonly string[] | undefined;
  readonly to: readonly string[] | undefined;
  readonly protocol: 'tcp' | 'udp' | 'icmp';
  /** Of the destination. */
  readonly ports: { readonly first: number; readonly last: number } | undefined;
}

/** Whether a rule may concern a packet: none of its matches excludes it. */
export function mayConcern(rule: ForeignFacts, packet: ForeignPacket): boolean {
  return (
    rule.direction === packet.direction &&
    (rule.interface === undefined || packet.isBy(rule.interface)) &&
    (rule.protocol === undefined || rule.protocol === packet.protocol) &&
    mayHaveAddress(rule.from, packet.from) &&
    mayHaveAddress(rule.to, packet.to) &&
    mayHavePort(rule.ports, packet)
  );
}

function mayHaveAddress(networks: readonly string[] | undefined, addresses: readonly string[] | undefined): boolean {
  if (networks === undefined || addresses === undefined) return true;
  return networks.some((text) => addresses.some((address) => mayContain(text, address)));
}

/** What cannot be read excludes nothing. */
function mayContain(text: string, address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined) return true;
  const network = enclosingNetwork(text);
  if (network !== undefined) return holds(network, parsed);
  const single = parseAddress(text);
  return single === undefined || (single.family === parsed.family && single.value === parsed.value);
}

function mayHavePort(texts: readonly string[] | undefined, { protocol, ports }: ForeignPacket): boolean {
  if (texts === undefined) return true;
  if (protocol === 'icmp') return false;
  if (ports === undefined) return true;
  return texts.some((text) => {
    const [first = NaN, last = first] = text.split('-').map(Number);
    return Number.isNaN(first + last) || (first <= ports.last && last >= ports.first);
  });
}

import { parseAddress } from '@meshwork/addresses';
import type { HostRule } from './host-rules.ts';
import type { Direction, Rate } from './rule.ts';
import { coversTraffic, EVERY_PORT, type Places, type Traffic } from './traffic.ts';

/** The first packet of a flow, as a node meets it. */
export interface Packet {
  readonly direction: Direction;
  /** `mesh` or a name. Where it comes in, with `out` where it leaves. */
  readonly interface: string;
  readonly from: string;
  readonly to: string;
  readonly protocol: 'tcp' | 'udp' | 'icmp';
  /** The destination’s, of `tcp` and `udp`. */
  readonly port?: number;
}

export interface Decision {
  /** `none`: no rule ends it. Like `accept`, it leaves what comes through the mesh to the policy. */
  readonly action: 'accept' | 'drop' | 'none';
  /** Which rule says so. */
  readonly rule?: string;
  /** It holds up to this rate. */
  readonly rate?: Rate;
  /** What holds above that rate. */
  readonly above?: Decision;
  /** Rules that write it down on the way there. */
  readonly logged: readonly string[];
}

/** What the host rules alone say about a packet. */
export function decide(rules: readonly HostRule[], packet: Packet): Decision {
  return decideFrom(rules, trafficOfPacket(packet), 0);
}

function decideFrom(rules: readonly HostRule[], traffic: Traffic, start: number): Decision {
  const logged: string[] = [];
  for (let index = start; index < rules.length; index++) {
    const candidate = rules[index];
    if (candidate === undefined || !coversTraffic(candidate.traffic, traffic)) continue;
    const { id, action, rate } = candidate.rule;
    if (action === 'log') logged.push(id);
    else if (rate === undefined) return { action, rule: id, logged };
    else return { action, rule: id, rate, above: decideFrom(rules, traffic, index + 1), logged };
  }
  return { action: 'none', logged };
}

function trafficOfPacket({ direction, interface: name, from, to, protocol, port }: Packet): Traffic {
  return {
    direction,
    interface: name,
    from: placeOf(from),
    to: placeOf(to),
    protocol,
    ports: port === undefined ? EVERY_PORT : [{ first: BigInt(port), last: BigInt(port) }],
  };
}

/** One address. */
export function placeOf(text: string): Places {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`${text} is no address.`);
  return { 4: [], 6: [], [address.family]: [{ first: address.value, last: address.value }] };
}

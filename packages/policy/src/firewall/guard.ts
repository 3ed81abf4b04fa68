/**
 * Rules that would cut an agent off. The compiled table does not accept beforehand what the agent needs: the way to the
 * coordinator (a name, a proxy, an interface) is known to the host and not to us, and an exception that only seems to
 * cover it would be worse than none. So the rules themselves are evaluated for every flow that the agent depends on, and
 * the operator learns which rule would do what. Whether to go on regardless (`force`) is for the caller.
 *
 * Answers need no rule: they pass before the rules are evaluated. So each need is a flow in the direction that opens it.
 */
import { parseAddress } from '@meshwork/addresses';
import { placeOf } from './decide.ts';
import { findCut, onePort, type PartlyKnownFlow, wholeFamily } from './find-cut.ts';
import type { HostRule } from './host-rules.ts';

export interface AgentNeeds {
  /** `addresses` empty: it is known by name only, and can be anywhere. */
  readonly coordinator: {
    readonly addresses: readonly string[];
    readonly port: number;
    /** By which the agent was seen to come. Absent: that of the addresses, or IPv4. */
    readonly family?: 4 | 6;
  };
  /** Those that the node may use, any of which will do. `address` absent: it is known by name only. */
  readonly relays?: readonly { readonly address?: string; readonly port: number }[];
  /** Present: the agent has to look the coordinator up. Empty: its resolvers are not known. */
  readonly resolvers?: readonly string[];
  /** WireGuard’s. */
  readonly listenPort: number;
  /** By which of them the host’s own traffic comes and goes. Absent: unknown, and can be any but the mesh. */
  readonly interfaces?: readonly string[];
}

export interface Refusal {
  readonly need: 'coordinator' | 'names' | 'relays' | 'wireguard_in' | 'wireguard_out';
  /** Those that do it together, each for an address or an interface. */
  readonly rules: readonly string[];
  /** `may_cut`: it depends on what we do not know, such as the interface, or on a rate. */
  readonly certainty: 'cuts' | 'may_cut';
  readonly detail: string;
}

/** The rules of one node, in order. Empty: they leave the agent what it needs. */
export function guardAgent(rules: readonly HostRule[], needs: AgentNeeds): readonly Refusal[] {
  return needsOf(needs).flatMap(({ need, what, ways }) => {
    const cuts = ways.map((way) => findCut(rules, way));
    if (!cuts.every((cut) => cut !== undefined)) return [];
    const named = [...new Set(cuts.flatMap((cut) => cut.rules))];
    const certainty = cuts.every(({ certain }) => certain) ? 'cuts' : 'may_cut';
    const [subject, verb] = named.length === 1 ? ['Rule', 'drops'] : ['Rules', 'drop'];
    const drops = certainty === 'cuts' ? verb : 'may drop';
    return [{ need, rules: named, certainty, detail: `${subject} ${listed(named)} ${drops} ${what}` }];
  });
}

interface Need {
  readonly need: Refusal['need'];
  /** How the sentence goes on. */
  readonly what: string;
  /** One of them is enough. */
  readonly ways: readonly PartlyKnownFlow[];
}

function needsOf({ coordinator, resolvers, relays = [], listenPort, interfaces }: AgentNeeds): readonly Need[] {
  const family = coordinator.family ?? familyOf(coordinator.addresses);
  const waysOut = (addresses: readonly string[], protocol: 'tcp' | 'udp', port: number): readonly PartlyKnownFlow[] =>
    (addresses.length === 0 ? [undefined] : addresses).map((address) => ({
      traffic: {
        direction: 'out',
        protocol,
        ports: onePort(port),
        from: wholeFamily(address === undefined ? family : familyOf([address])),
        to: address === undefined ? wholeFamily(family) : placeOf(address),
      },
      interfaces,
      unknown: address === undefined ? ['from', 'to'] : ['from'],
    }));
  return [
    {
      need: 'coordinator',
      what: `what the agent sends to the coordinator${place(coordinator)}: the node would go offline until its agent rolls the rules back.`,
      ways: waysOut(coordinator.addresses, 'tcp', coordinator.port),
    },
    ...(resolvers === undefined ? [] : [namesNeed(waysOut(resolvers, 'udp', 53))]),
    ...(relays.length === 0
      ? []
      : [
          relaysNeed(
            relays.flatMap(({ address, port }) => waysOut(address === undefined ? [] : [address], 'udp', port)),
          ),
        ]),
    wireguardNeed('in', { listenPort, interfaces, family }),
    wireguardNeed('out', { listenPort, interfaces, family }),
  ];
}

function namesNeed(ways: readonly PartlyKnownFlow[]): Need {
  const what = 'the DNS queries of the agent for the coordinator’s name, to port 53.';
  return { need: 'names', what, ways };
}

function relaysNeed(ways: readonly PartlyKnownFlow[]): Need {
  const ports = [...new Set(ways.map(({ traffic }) => `${traffic.ports[0]?.first}`))];
  const what = `what the node sends to relays, port ${listed(ports)}: it would lose peers that it does not reach directly.`;
  return { need: 'relays', what, ways };
}

/** Peers are in many places, and a rule about one of them is no cut: the far end is all of them, and not unknown. */
function wireguardNeed(
  direction: 'in' | 'out',
  {
    listenPort,
    interfaces,
    family,
  }: Pick<AgentNeeds, 'listenPort'> & Pick<PartlyKnownFlow, 'interfaces'> & { family: 4 | 6 },
): Need {
  const whole = wholeFamily(family);
  const traffic = { direction, protocol: 'udp', ports: onePort(listenPort), from: whole, to: whole } as const;
  const sent = direction === 'in' ? 'what peers send to' : 'what the node sends to peers that listen on';
  return {
    need: `wireguard_${direction}`,
    what: `${sent} WireGuard’s port ${listenPort}: the node would lose peers that it reaches directly.`,
    ways: [{ traffic, interfaces, unknown: [direction === 'in' ? 'to' : 'from'] }],
  };
}

/** IPv4 unless the coordinator is reached over IPv6 alone: a rule against IPv6 as such is common, and cuts off few. */
function familyOf(addresses: readonly string[]): 4 | 6 {
  const families = addresses.map((text) => parseAddress(text)?.family);
  return families.length > 0 && families.every((family) => family === 6) ? 6 : 4;
}

function place({ addresses, port }: AgentNeeds['coordinator']): string {
  return `${addresses.length === 0 ? '' : ` at ${listed(addresses)}`}, port ${port}`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

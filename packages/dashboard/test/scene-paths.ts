/** Nodes behind NATs of every kind, a link through two relays, and relays that carry something: what simulated nodes do not have by themselves. */
import type { LinkReport, Observed, RelayLoad, Report } from '@meshwork/contract';
import type { Fleet, SimulatedNode } from '@meshwork/lab';
import { OTHER_RELAY, RELAY } from './scene-roster.ts';

const NATS: Readonly<Record<string, NonNullable<Report['nat']>>> = {
  'relay-fra': 'none',
  'gw-1': 'none',
  'git-1': 'endpoint-independent',
  'ci-1': 'udp-blocked',
  'laptop-ana': 'address-dependent',
  'laptop-ben': 'endpoint-independent',
};
/** The two ends of a link through relays. */
export const RELAYED = ['laptop-ana', 'git-1'] as const;
const LOAD: RelayLoad = {
  allocations: 14,
  sessions: 231,
  refused: 3,
  denied: 0,
  over_quota: 0,
  rx_bytes: 734_003_200,
  tx_bytes: 733_981_120,
  rx_packets: 612_040,
  tx_packets: 611_980,
};

export function spreadPaths(fleet: Fleet): void {
  for (const node of fleet.nodes) {
    const nat = NATS[node.name];
    if (nat !== undefined) node.report({ nat });
    if (node.name === 'relay-fra') node.plane.setObserved((observed) => ({ ...observed, relay_load: LOAD }));
  }
  const [laptop, git] = RELAYED.map((name) => fleet.nodes.find((node) => node.name === name));
  if (laptop === undefined || git === undefined) throw new Error('The ends of the relayed link are not there.');
  relays(laptop, git, {
    ...{ relay: OTHER_RELAY, via: { relay: RELAY, transport: 'udp' }, endpoint: '198.51.100.9:50012', rtt_ms: 38.2 },
    tried: [
      { endpoint: '192.168.7.20:51820', outcome: 'unreachable' },
      { endpoint: '203.0.113.40:51820', outcome: 'silent' },
    ],
  });
  relays(git, laptop, {
    ...{ relay: RELAY, via: { relay: OTHER_RELAY, transport: 'udp' }, endpoint: '198.51.100.7:49931', rtt_ms: 38.6 },
    tried: [{ endpoint: '203.0.113.77:40112', outcome: 'silent' }],
  });
}

/** From now on a node reports its link with a peer as one through relays, or as `way` says. */
export function relays(node: SimulatedNode, peer: SimulatedNode, way: Partial<LinkReport>): void {
  const change = (link: LinkReport): LinkReport =>
    link.peer === peer.id ? { ...link, path: 'relay', rx_bytes: 482_113, tx_bytes: 91_733, ...way } : link;
  node.plane.setObserved((observed: Observed) =>
    observed.links === undefined ? observed : { ...observed, links: observed.links.map(change) },
  );
}

/** How a node or a router is attached to the network around it, in the words of `ip -batch`. */
import { containsAddress, nthAddress, readNetwork } from '@meshwork/addresses';
import type { LabPlan, PlannedNode } from '../plan/lab-plan.ts';
import { locate, nodeMac } from '../plan/location.ts';
import type { PlannedSite } from '../plan/site-plan.ts';

/** The bridge inside a router that joins what is behind it. */
export const LAN = 'lan';
const LAN_PREFIX = 24;
const LAN6_PREFIX = 64;

/** What has an interface on the switch, or could have one after it moved. */
interface Station {
  readonly mac: string;
  readonly address: string | null;
  readonly address6: string | null;
}

/** A cable from a port of a bridge to an interface elsewhere. To be made where the bridge is. */
export function cable(port: string, bridge: string, end: string): string[] {
  return [`link add ${port} type veth peer name ${end}`, `link set ${port} master ${bridge} up`];
}

/** Forwards from the first moment on, and floods what it does not know: a switch that needs no time to learn. */
export function bridge(name: string): string {
  return `link add ${name} type bridge stp_state 0 forward_delay 0 mcast_snooping 0`;
}

/** The cable of a node to where it is now, and the namespace to make it in. */
export function nodeCable(plan: LabPlan, node: PlannedNode): { readonly at: string; readonly lines: string[] } {
  const site = siteOf(plan, node);
  const end = `eth0 address ${nodeMac(node.index)} netns ${node.namespace}`;
  if (site === null) return { at: plan.net, lines: cable(node.port, 'br0', end) };
  return { at: site.namespace, lines: cable(`n${node.index + 1}`, LAN, end) };
}

/** The cable of a router to the outside, and the namespace to make it in. */
export function routerCable(plan: LabPlan, site: PlannedSite): { readonly at: string; readonly lines: string[] } {
  const end = `eth0 address ${site.mac} netns ${site.namespace}`;
  const carrier = carrierOf(plan, site);
  if (carrier === null) return { at: plan.net, lines: cable(site.port, 'br0', end) };
  return { at: carrier.namespace, lines: cable(`c${plan.sites.indexOf(site) + 1}`, LAN, end) };
}

/** The addresses and routes of a node where it is now. */
export function nodeLines(plan: LabPlan, node: PlannedNode): string[] {
  const site = siteOf(plan, node);
  if (site === null) return switchLines(plan, { ...node, mac: nodeMac(node.index) });
  const { four, six } = site;
  return [
    'link set lo up',
    'link set eth0 up',
    ...(four === null
      ? []
      : [
          `addr add ${node.inner_address}/${LAN_PREFIX} dev eth0`,
          `route add default via ${nthAddress(readNetwork(four.lan), 1)}`,
        ]),
    ...(six === null
      ? []
      : [`addr add ${node.address6}/${LAN6_PREFIX} dev eth0 nodad`, `route add default via ${six.lan}1`]),
  ];
}

/** The addresses and routes of a router on both of its sides. */
export function routerLines(plan: LabPlan, site: PlannedSite): string[] {
  const { four, six, mac } = site;
  const outside =
    carrierOf(plan, site) === null || four === null
      ? switchLines(plan, { mac, address: four?.address ?? null, address6: six?.address ?? null })
      : [
          'link set lo up',
          `addr add ${four.address}/${LAN_PREFIX} dev eth0`,
          'link set eth0 up',
          `route add default via ${four.gateway}`,
        ];
  return [
    ...outside,
    bridge(LAN),
    ...(four === null ? [] : [`addr add ${nthAddress(readNetwork(four.lan), 1)}/${LAN_PREFIX} dev ${LAN}`]),
    ...(six === null ? [] : [`addr add ${six.lan}1/${LAN6_PREFIX} dev ${LAN} nodad`]),
    `link set ${LAN} up`,
  ];
}

/** Routes to networks of sites whose IPv6 is routed. */
export function siteRoutes({ sites }: LabPlan, own: string | null): string[] {
  return sites.flatMap(({ six }) =>
    six === null || six.address === own ? [] : [`route add ${six.lan}/${LAN6_PREFIX} via ${six.address}`],
  );
}

/** For an interface on the switch: all others are reached directly, the coordinator and what is nowhere by the switch itself. */
function switchLines(plan: LabPlan, station: Station): string[] {
  const { underlay } = plan;
  const { address, address6 } = station;
  return [
    'link set lo up',
    'link set eth0 up',
    ...(address === null ? [] : [...onSwitch(plan, address), `route add default via ${underlay.gateway}`]),
    ...(address6 === null
      ? []
      : [
          `addr add ${address6}/${underlay.prefix6} dev eth0 nodad`,
          ...siteRoutes(plan, address6),
          `route add default via ${underlay.gateway6}`,
        ]),
    ...neighbourLines(plan, station),
  ];
}

function onSwitch({ underlay: { network, routers, prefix } }: LabPlan, address: string): string[] {
  const others = [network, routers].filter((one) => one !== null && !containsAddress(readNetwork(one), address));
  return [`addr add ${address}/${prefix} dev eth0`, ...others.map((one) => `route add ${one} dev eth0`)];
}

/**
 * Permanent entries for all others on the switch. The kernel has room for some thousand neighbours that it resolved itself,
 * in all namespaces together: fifty nodes that talk with each other have more, and would lose each other. Permanent ones do
 * not count.
 */
function neighbourLines(plan: LabPlan, station: Station): string[] {
  return stationsOf(plan).flatMap((other) => {
    if (other.mac === station.mac) return [];
    const shared = [
      station.address === null ? null : other.address,
      station.address6 === null ? null : other.address6,
    ].filter((address) => address !== null);
    return shared.map((address) => `neigh add ${address} lladdr ${other.mac} dev eth0 nud permanent`);
  });
}

function stationsOf({ nodes, sites, underlay }: LabPlan): Station[] {
  const own = new Set(nodes.map(({ name }) => name)); // sites of single nodes have the place of their node
  return [
    ...nodes.map(({ name, index }) => {
      const { address, address6 } = locate(index, null, underlay);
      return { mac: nodeMac(index), address, address6: sites.some((site) => site.name === name) ? null : address6 };
    }),
    ...sites
      .filter(({ name, behind }) => behind === null && !own.has(name))
      .map(({ mac, four, six }) => ({ mac, address: four?.address ?? null, address6: six?.address ?? null })),
  ];
}

function siteOf({ sites }: LabPlan, node: PlannedNode): PlannedSite | null {
  return sites.find(({ name }) => name === node.site) ?? null;
}

function carrierOf({ sites }: LabPlan, { behind }: PlannedSite): PlannedSite | null {
  return sites.find(({ name }) => name === behind) ?? null;
}

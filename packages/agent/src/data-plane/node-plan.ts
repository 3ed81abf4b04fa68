/** What the engines of a node should be, from what the coordinator told. Pure: the same view gives the same plans. */
import { MESH_INTERFACE, NODE_TABLE } from '@meshwork/contract/vocabulary';
import type { AclPeer, NodeInput } from '@meshwork/policy/firewall';
import { type AcceptRoutes, chooseRoutes, type RouteOption, routeOptions } from '@meshwork/policy/routes';
import type { Kept } from '../view/held-records.ts';
import type { View } from '../view/held-view.ts';
import { networks as blockOf, isUsableEndpoint, within } from '../endpoints/addresses.ts';
import type { HostName } from '../engines/names/host-names.ts';
import type { NetworkPlan } from '../engines/network/mesh-network.ts';
import type { TunnelPeer } from '../engines/wireguard/tunnel.ts';

type Told = View<Kept>;

/** WireGuard's peers, each with the networks that are reached through it. */
export function tunnelPeers(view: Told, accept: AcceptRoutes): TunnelPeer[] {
  const behind = Map.groupBy(routesOf(view, accept).values(), ({ provider }) => provider);
  return Array.from(view.peers.all(), ({ id, wireguard_key, address, address6, endpoints }) => ({
    id,
    key: wireguard_key,
    networks: [address, address6, ...(behind.get(id) ?? []).map(({ network }) => network)],
    // Whatever a coordinator says: nothing is sent to this host itself, to a group, or to a cloud's metadata.
    endpoints: endpoints.filter(isUsableEndpoint),
  }));
}

/** Networks that a node is told to forward to although it never offered them. Whoever runs the host decides that, and nobody else. */
export function uninvited(view: Told, offered: readonly string[]): readonly string[] {
  return (view.sections.self?.routes ?? []).filter((network) => !offered.includes(network));
}

/** What goes into the mesh and what comes through the node. Before the node knows who it is, there is nothing to plan. */
export function networkPlan(
  view: Told,
  { kept_out, accept }: { readonly kept_out: readonly string[]; readonly accept: AcceptRoutes },
): NetworkPlan | undefined {
  const { self } = view.sections;
  if (self === undefined) return undefined;
  const { address, address6, networks, routes: forwarded } = self;
  return {
    addresses: [address, address6],
    routes: [...new Set([...networks, ...strayPeers(view, networks), ...routesOf(view, accept).keys()])],
    forwarded,
    kept_out,
  };
}

/** Through whom each network is reached, by the function that the coordinator explains it with. */
function routesOf(view: Told, accept: AcceptRoutes): ReadonlyMap<string, RouteOption> {
  const options: RouteOption[] = [];
  for (const terms of view.acl.all()) {
    if (terms.routes.length > 0 && view.peers.get(terms.peer) !== undefined) {
      options.push(...routeOptions(terms.peer, terms));
    }
  }
  return chooseRoutes(options, accept);
}

/** Addresses of peers that the mesh's networks do not have in them: somebody changed the setting since they were given. */
function* strayPeers(view: Told, networks: readonly string[]): Generator<string> {
  const known = blockOf(networks);
  for (const { address, address6 } of view.peers.all()) {
    for (const one of [address, address6]) if (!within(known, withoutPrefix(one))) yield one;
  }
}

/** One table of the grants and the host rules. What it forwards to is translated, so that nobody there needs a route back. */
export function firewallInput(view: Told, rules = view.sections.firewall ?? []): NodeInput {
  const translated = view.sections.self?.routes ?? [];
  return {
    table: NODE_TABLE,
    meshInterface: MESH_INTERFACE,
    peers: aclPeers(view),
    rules: rules.map((rule) => ({ ...rule, enabled: true, nodes: ['*'] })),
    ...(translated.length === 0 ? {} : { translated }),
  };
}

/** Thousands of peers have the same few terms; the compiler works each of them out once, if they are the same object. */
function aclPeers(view: Told): AclPeer[] {
  const shared = new Map<string, AclPeer['terms']>();
  const peers: AclPeer[] = [];
  for (const { peer: id, allow, forward } of view.acl.all()) {
    const peer = view.peers.get(id);
    if (peer === undefined || (allow.length === 0 && forward.length === 0)) continue;
    const key = JSON.stringify([allow, forward]);
    const terms = shared.get(key) ?? { allow, forward };
    shared.set(key, terms);
    peers.push({ addresses: [peer.address, peer.address6].map(withoutPrefix), terms });
  }
  return peers;
}

/** The node's own name, and those of its peers. */
export function hostNames(view: Told): HostName[] {
  const known = [...(view.sections.self === undefined ? [] : [view.sections.self]), ...view.peers.all()];
  return known.map(({ name, address, address6 }) => ({ name, addresses: [address, address6].map(withoutPrefix) }));
}

/** An address in the mesh is told with all of its bits as prefix. */
export function withoutPrefix(address: string): string {
  return address.slice(0, address.lastIndexOf('/'));
}

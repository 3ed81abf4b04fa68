/** The wanted peers of WireGuard, from the view. */
import { isUsableEndpoint } from '@meshwork/addresses';
import type { Peer } from '@meshwork/contract';
import type { AcceptRoutes } from '@meshwork/policy/routes';
import type { PeerChanges } from '../../view/changes.ts';
import { chosenRoutes } from '../../view/chosen-routes.ts';
import type { HeldView } from '../../view/held-view.ts';
import type { TunnelPeer } from './tunnel.ts';

/** Networks that are reached through a peer, by its id. */
export type NetworksBehind = ReadonlyMap<string, readonly string[]>;

export function networksBehind(view: HeldView, accept: AcceptRoutes): NetworksBehind {
  const behind = new Map<string, string[]>();
  for (const { provider, network } of chosenRoutes(view, accept).values()) {
    const networks = behind.get(provider);
    if (networks === undefined) behind.set(provider, [network]);
    else networks.push(network);
  }
  return behind;
}

/** All of them, each with the networks that are reached through it. */
export function tunnelPeers(view: HeldView, accept: AcceptRoutes): TunnelPeer[] {
  const behind = networksBehind(view, accept);
  return Array.from(view.peers.all(), (peer) => tunnelPeer(peer, behind));
}

/** Those that have to be set in WireGuard. Undefined: it is no peer any more. */
export function changedTunnelPeers(
  view: HeldView,
  changes: PeerChanges,
  behind: { readonly before: NetworksBehind; readonly now: NetworksBehind },
): ReadonlyMap<string, TunnelPeer | undefined> {
  const changed = new Map<string, TunnelPeer | undefined>();
  for (const id of new Set([...changes.keys(), ...behind.before.keys(), ...behind.now.keys()])) {
    const peer = view.peers.get(id);
    const before = changes.has(id) ? changes.get(id)?.peer : peer;
    const isSame = peer === before && (behind.before.get(id) ?? []).join() === (behind.now.get(id) ?? []).join();
    if (!isSame) changed.set(id, peer && tunnelPeer(peer, behind.now));
  }
  return changed;
}

function tunnelPeer({ id, wireguard_key, address, address6, endpoints }: Peer, behind: NetworksBehind): TunnelPeer {
  return {
    id,
    key: wireguard_key,
    networks: [address, address6, ...(behind.get(id) ?? [])],
    // Whatever a coordinator says: nothing is sent to this host itself, to a group, or to a cloud's metadata.
    endpoints: endpoints.filter(isUsableEndpoint),
    ...(behind.has(id) ? { bears: true } : {}),
  };
}

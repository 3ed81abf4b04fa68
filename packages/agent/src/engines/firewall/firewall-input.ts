/** The wanted packet filter, from the view. */
import type { Peer, PeerTerms } from '@meshwork/contract';
import { MESH_INTERFACE, NODE_TABLE } from '@meshwork/contract/vocabulary';
import type { AclPeer, NodeInput } from '@meshwork/policy/firewall';
import { AGENT_PORT } from '../../host/own-numbers.ts';
import type { PeerChanges } from '../../view/changes.ts';
import { withoutPrefix } from '../../view/chosen-routes.ts';
import type { HeldView } from '../../view/held-view.ts';
import type { Rules } from './egress.ts';
import type { FirewallChange, TableFrame } from './node-firewall.ts';

/** Networks that the coordinator wants forwarded although this host never offered them. The operator of the host decides that. */
export function uninvited(view: HeldView, offered: readonly string[]): readonly string[] {
  return (view.sections.self?.routes ?? []).filter((network) => !offered.includes(network));
}

/** One table of the grants and the host rules. */
export function firewallInput(view: HeldView, rules: Rules = view.sections.firewall ?? []): NodeInput {
  return { ...tableFrame(view, rules), peers: aclPeers(view) };
}

/** All but the peers. What the node forwards to is translated, so that nothing there needs a route back. */
export function tableFrame(view: HeldView, rules: Rules): TableFrame {
  const translated = view.sections.self?.routes ?? [];
  return {
    table: NODE_TABLE,
    meshInterface: MESH_INTERFACE,
    agentPort: AGENT_PORT,
    rules: rules.map((rule) => ({ ...rule, enabled: true, nodes: ['*'] })),
    ...(translated.length === 0 ? {} : { translated }),
  };
}

/** What changes for these peers alone. Undefined: one of them has an address of another peer, which the whole table refuses. */
export function peersChange(view: HeldView, changes: PeerChanges): Omit<FirewallChange, 'frame'> | undefined {
  const before: AclPeer[] = [];
  const after: AclPeer[] = [];
  for (const [id, was] of changes) {
    const [one, other] = [aclPeer(was.peer, was.terms), aclPeer(view.peers.get(id), view.acl.get(id))];
    if (JSON.stringify(one) === JSON.stringify(other)) continue;
    if (one !== undefined) before.push(one);
    if (other !== undefined) after.push(other);
  }
  return hasStranger(view, changes, after) ? undefined : { before, after };
}

/** Whether a peer that did not change has one of the addresses of those that did. */
function hasStranger(view: HeldView, changes: PeerChanges, after: readonly AclPeer[]): boolean {
  const addresses = new Set(after.flatMap((peer) => peer.addresses));
  if (addresses.size === 0) return false;
  for (const { id, address, address6 } of view.peers.all()) {
    if (addresses.has(withoutPrefix(address)) || addresses.has(withoutPrefix(address6))) {
      if (!changes.has(id)) return true;
    }
  }
  return false;
}

/** Thousands of peers have the same few terms; the compiler works each of them out once, if they are the same object. */
function aclPeers(view: HeldView): AclPeer[] {
  const shared = new Map<string, AclPeer['terms']>();
  const peers: AclPeer[] = [];
  for (const given of view.acl.all()) {
    const peer = aclPeer(view.peers.get(given.peer), given);
    if (peer === undefined) continue;
    const key = JSON.stringify(peer.terms);
    const terms = shared.get(key) ?? peer.terms;
    shared.set(key, terms);
    peers.push({ addresses: peer.addresses, terms });
  }
  return peers;
}

/** Undefined: it may do nothing here. */
function aclPeer(peer: Peer | undefined, terms: PeerTerms | undefined): AclPeer | undefined {
  if (peer === undefined || terms === undefined) return undefined;
  const { allow, forward } = terms;
  if (allow.length === 0 && forward.length === 0) return undefined;
  return { addresses: [peer.address, peer.address6].map(withoutPrefix), terms: { allow, forward } };
}

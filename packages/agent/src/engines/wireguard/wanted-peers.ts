import type { TunnelPeer } from './tunnel.ts';
import { canonicalEndpoint, canonicalNetwork, isKey } from './values.ts';

/** A peer that was asked for, in the spelling in which it is read back. */
export interface WantedPeer {
  readonly id: string;
  readonly key: string;
  readonly networks: readonly string[];
  readonly endpoints: readonly string[];
}

export interface WantedPeers {
  /** By their keys. */
  readonly peers: ReadonlyMap<string, WantedPeer>;
  /** Those that cannot be: what is wrong with them, by their ids. They are left out and do not hinder the others. */
  readonly refused: ReadonlyMap<string, string>;
}

/** Throws if two peers have a network in common: whoever asks has to have settled to whom it belongs. */
export function wantedPeers(asked: readonly TunnelPeer[], own_key: string): WantedPeers {
  const peers = new Map<string, WantedPeer>();
  const refused = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const peer of asked) {
    const wanted = canonical(peer);
    if (typeof wanted === 'string') refused.set(peer.id, wanted);
    else if (wanted.key === own_key) refused.set(peer.id, 'it has the key of this node itself');
    else if (peers.has(wanted.key)) refused.set(peer.id, `it has the key of ${peers.get(wanted.key)?.id}`);
    else {
      claim(wanted, owners);
      peers.set(wanted.key, wanted);
    }
  }
  return { peers, refused };
}

/** Text: why it cannot be. */
function canonical({ id, key, networks, endpoints }: TunnelPeer): WantedPeer | string {
  if (!isKey(key)) return `${JSON.stringify(key)} is no WireGuard key`;
  const sound: Record<'networks' | 'endpoints', string[]> = { networks: [], endpoints: [] };
  for (const text of networks) {
    const network = canonicalNetwork(text);
    if (network === undefined) return `${JSON.stringify(text)} is no network`;
    sound.networks.push(network);
  }
  // The peer itself says where it is, and must not be able to spoil what its peers are told: a place that is none is left out.
  for (const text of endpoints) {
    const endpoint = canonicalEndpoint(text);
    if (endpoint !== undefined) sound.endpoints.push(endpoint);
  }
  return { id, key, ...sound };
}

function claim({ id, networks }: WantedPeer, owners: Map<string, string>): void {
  for (const network of networks) {
    const owner = owners.get(network);
    if (owner !== undefined) throw new TypeError(`${network} is asked for twice: for ${owner} and for ${id}`);
    owners.set(network, id);
  }
}

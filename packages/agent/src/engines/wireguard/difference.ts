import { isInSession } from '../../host/in-session.ts';
import type { EnginePeer, PeerUpsert, Reading } from './driver.ts';
import type { WantedPeer } from './wanted-peers.ts';

/**
 * Ours: what keeps an address translation open, and makes a new peer begin its handshake at once. A peer of which no place
 * is known has none: WireGuard would begin into nowhere, and then wait five seconds before it begins again.
 */
export const KEEPALIVE_S = 25;
const NO_KEEPALIVE_S = 0;

export interface PeersDifference {
  readonly upsert: readonly PeerUpsert[];
  readonly remove: readonly string[];
}

interface Found extends Pick<Reading, 'peers'> {
  /** Peers that were there before. One that comes back is looked for where it was. */
  readonly departed?: Iterable<EnginePeer>;
}

/** The least that turns the peers that are there into those that are wanted. */
export function peersDifference(
  wanted: ReadonlyMap<string, WantedPeer>,
  { peers, departed = [] }: Found,
  now_ms: number,
): PeersDifference {
  const remove = [...peers.keys()].filter((key) => !wanted.has(key));
  const predecessorOf = predecessors([...departed, ...going(remove, peers)]);
  const upsert: PeerUpsert[] = [];
  for (const peer of wanted.values()) {
    const seen = peers.get(peer.key);
    const endpoint = placeFor(peer, seen, seen ?? predecessorOf(peer), now_ms);
    if (seen !== undefined && endpoint === undefined && peerFault(peer, seen) === null) continue;
    upsert.push(upsertOf(peer, endpoint));
  }
  return { upsert, remove };
}

/** Whether WireGuard says nothing to it while there is nothing to say. */
export function rests({ carried, bears }: Pick<WantedPeer, 'carried' | 'bears'>): boolean {
  return carried === true && bears !== true;
}

export function upsertOf(peer: WantedPeer, endpoint: string | undefined): PeerUpsert {
  const { key, networks, endpoints } = peer;
  const isPlaced = !rests(peer) && (endpoint !== undefined || endpoints.length > 0);
  return { key, networks, endpoint, keepalive_s: isPlaced ? KEEPALIVE_S : NO_KEEPALIVE_S };
}

/** What is wrong with a peer that is there, in words, or null. Where it is does not count: it may go where it likes. */
export function peerFault(peer: WantedPeer, seen: EnginePeer): string | null {
  const { networks, endpoints } = peer;
  if (!sameNetworks(networks, seen.networks))
    return `has the networks ${listed(seen.networks)} in place of ${listed(networks)}`;
  if (seen.preshared) return 'has a preshared key';
  if (endpoints.length === 0 && seen.keepalive_s === NO_KEEPALIVE_S) return null; // else it may have its predecessor's place
  const wanted_s = rests(peer) ? NO_KEEPALIVE_S : KEEPALIVE_S;
  if (seen.keepalive_s !== wanted_s) return `sends a keepalive every ${seen.keepalive_s} s, not ${wanted_s}`;
  return null;
}

/**
 * Where to send a peer's packets now. Undefined: where they go already, or nowhere. `before` is the peer itself, as it is or
 * as it was before it went, or the one whose place a new key takes: a node that changes its key stays where it is, which is
 * how the new key finds it at once.
 */
function placeFor(
  { endpoints }: WantedPeer,
  seen: EnginePeer | undefined,
  before: EnginePeer | undefined,
  now_ms: number,
): string | undefined {
  const place = before?.endpoint ?? undefined;
  const stays =
    place !== undefined &&
    before !== undefined &&
    (endpoints.length === 0 || endpoints.includes(place) || isInSession(before, now_ms));
  if (stays) return seen === undefined ? place : undefined;
  return endpoints[0];
}

/** Peers that are new in a difference, each with the one whose place it takes: the same node with another key. */
export function successors(
  { upsert, remove }: PeersDifference,
  { peers }: Pick<Reading, 'peers'>,
): ReadonlyMap<string, EnginePeer> {
  const predecessorOf = predecessors(going(remove, peers));
  const found = new Map<string, EnginePeer>();
  for (const peer of upsert) {
    const before = peers.has(peer.key) ? undefined : predecessorOf(peer);
    if (before !== undefined) found.set(peer.key, before);
  }
  return found;
}

function going(keys: readonly string[], peers: ReadonlyMap<string, EnginePeer>): EnginePeer[] {
  return keys.map((key) => peers.get(key)).filter((peer) => peer !== undefined);
}

/**
 * A peer that goes and leaves its address to a new one was the same node with its last key. The last one counts. A larger
 * network is none of its own: any node may take that over.
 */
function predecessors(before: readonly EnginePeer[]) {
  const byAddress = new Map<string, EnginePeer>();
  for (const peer of before) for (const network of peer.networks.filter(isAddress)) byAddress.set(network, peer);
  return ({ networks }: Pick<WantedPeer, 'networks'>): EnginePeer | undefined => {
    const first = networks.find((network) => byAddress.has(network));
    return first === undefined ? undefined : byAddress.get(first);
  };
}

function isAddress(network: string): boolean {
  return network.endsWith(network.includes(':') ? '/128' : '/32');
}

/** Mostly two of them, at most some dozens. */
function sameNetworks(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((network) => other.includes(network));
}

function listed(networks: readonly string[]): string {
  return networks.length === 0 ? '(none)' : networks.join(', ');
}

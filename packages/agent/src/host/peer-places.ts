import type { LinkReport } from '@meshwork/contract';
import type { HeldView } from '../view/held-view.ts';
import { PathMtus } from './path-mtus.ts';

/** A peer as WireGuard has it. */
export interface PlacedPeer {
  /** Null: not known yet. */
  readonly endpoint: string | null;
  /** By the clock of the node. Null: there was none. */
  readonly handshake_ms: number | null;
  readonly rx_bytes: number;
  readonly tx_bytes: number;
}

/** What WireGuard does for links: it says how its peers do, and sends their packets elsewhere. */
export interface PlacingTunnel {
  /** By their keys. */
  look(): Promise<{ readonly peers: ReadonlyMap<string, PlacedPeer> }>;
  /** By id of the peer, the endpoint that its packets go to from now on. Those that are no peers any more are passed over. */
  place(endpoints: ReadonlyMap<string, string>): Promise<void>;
}

/** How the packets of a link go, as far as links know more of it than WireGuard. */
export type LinkWay = Pick<LinkReport, 'path' | 'endpoint' | 'relay' | 'via' | 'why' | 'tried' | 'mtu'>;

/** What links do for WireGuard. */
export interface PeerPlacing {
  /** Before the peers of this view are set in WireGuard. `bearers`: those that networks are reached through. */
  prepare(view: HeldView, bearers: ReadonlySet<string>): Promise<void>;
  /** Where a peer's packets go to, for as long as no direct path carries them. Undefined: WireGuard finds the peer by itself. */
  endpointOf(peer: string): string | undefined;
  /** Undefined: links have no say in it. `isAlive`: it is in session. */
  wayOf(peer: string, seen: PlacedPeer, isAlive: boolean): LinkWay | undefined;
}

/** Where the engines of WireGuard and of links meet: neither knows the other. */
export class PeerPlaces {
  tunnel: PlacingTunnel | undefined;
  placing: PeerPlacing | undefined;
  readonly mtus = new PathMtus();
  /** Where peers can reach this node, as far as it knows. */
  own: readonly string[] = [];
}

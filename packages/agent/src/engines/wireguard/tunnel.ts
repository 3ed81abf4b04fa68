/**
 * What the agent needs of WireGuard, whichever of its engines runs.
 *
 * `wireguard-tunnel.ts` is the one tunnel there is: it reads what is there, takes the `difference.ts` to what is wanted, and
 * has a `driver.ts` apply it. There is a driver for each engine, and `choose-driver.ts` finds out which one a host has:
 * that of the kernel, or `wireguard-go`, which `wireguard-go.ts` keeps running. `search.ts` looks for peers that do not answer,
 * `fresh-keys.ts` sees to it that a new key is not waited for, and `new-links.ts` that a handshake is followed by packets both ways.
 */

export interface TunnelSettings {
  /** Base64. A secret. */
  readonly private_key: string;
  readonly port: number;
  /** Marks what WireGuard itself sends, so that it never goes through the mesh: see `network/`. */
  readonly mark: number;
}

/** A peer as it should be. */
export interface TunnelPeer {
  /** Of the node. */
  readonly id: string;
  /** Base64, public. */
  readonly key: string;
  /** Where it may send from and is sent to: its own addresses, and networks that are reached through it. */
  readonly networks: readonly string[];
  /** Where it may be, best first. Empty: only it can begin. */
  readonly endpoints: readonly string[];
  /** Its packets go through the carrier unless a direct path is found, and nothing is sent while there is nothing to send. */
  readonly carried?: boolean | undefined;
  /** Networks are reached through it: its session is kept, also if it is carried. */
  readonly bears?: boolean | undefined;
}

/** A peer as it is. */
export interface SeenPeer {
  readonly key: string;
  readonly networks: readonly string[];
  /** Null: not known yet. */
  readonly endpoint: string | null;
  /** By the clock of the node. Null: there was none. */
  readonly handshake_ms: number | null;
  readonly rx_bytes: number;
  readonly tx_bytes: number;
}

export interface SeenTunnel {
  /** Base64. Null: the interface has no key. */
  readonly public_key: string | null;
  readonly port: number;
  readonly mark: number;
  /** By their keys. */
  readonly peers: ReadonlyMap<string, SeenPeer>;
}

export interface Tunnel {
  /**
   * Makes the interface be there with this key, port and mark. One that is there already is taken over as it is: its
   * sessions go on. Called again with another key, it changes only the key. It is not up yet: see `network/`. Rejects with
   * `PortTakenError` when another program has the port; everything else is done then.
   */
  open(settings: TunnelSettings): Promise<void>;
  /**
   * Makes these the peers, by the smallest difference to those that are there: sessions of peers that stay go on. Answers
   * with what is found to be wrong afterwards, by id of the peer and in words. Empty: all is as it should be.
   */
  setPeers(peers: readonly TunnelPeer[]): Promise<ReadonlyMap<string, string>>;
  /**
   * The same for some peers, by their ids, and for no others. Undefined in place of a peer: it is none any more. Starts from what was last
   * seen. Answers with undefined where that is not enough: all of them have to be set.
   */
  changePeers(changes: ReadonlyMap<string, TunnelPeer | undefined>): Promise<ReadonlyMap<string, string> | undefined>;
  /** Sends the packets of these peers there from now on, by their ids. Those that are no peers are passed over. */
  place(endpoints: ReadonlyMap<string, string>): Promise<void>;
  /** What is there now. */
  look(): Promise<SeenTunnel>;
  /** How what is there differs from what was last asked for, in words, or null. */
  drift(): Promise<string | null>;
  /**
   * Moves peers that do not answer to the next place where they may be, and begins anew with those that have a new key and
   * should have answered by now. Answers with what was there before. Called soon after a change, and now and then.
   */
  seekPeers(): Promise<SeenTunnel>;
  /**
   * Sends each of these peers a packet, by their ids, waits for one of theirs, and answers it by another one. Returns those that
   * one came from, and the milliseconds it took. One that is no peer is not waited for; one whose place is not known is, because
   * it may come from there.
   */
  hear(ids: readonly string[], within_ms: number): Promise<ReadonlyMap<string, number>>;
  /** Ends it all: the interface is gone afterwards. */
  remove(): Promise<void>;
}

import type { SeenPeer, SeenTunnel } from './tunnel.ts';

/** A peer as the engine lists it: also with settings that we never change and another program may have changed. */
export interface EnginePeer extends SeenPeer {
  readonly keepalive_s: number;
  /** Whether there is a preshared key. We use none. */
  readonly preshared: boolean;
}

export interface Reading extends SeenTunnel {
  readonly peers: ReadonlyMap<string, EnginePeer>;
}

/** Makes a peer be there like this, without a preshared key. Its session goes on if it was there before. */
export interface PeerUpsert {
  readonly key: string;
  /** All of them. One that another peer has moves here. */
  readonly networks: readonly string[];
  /** Absent: stays where it is. */
  readonly endpoint?: string | undefined;
  readonly keepalive_s: number;
}

/** Absent: stays as it is. Peers that are not named stay as they are, too. */
export interface Change {
  /** Base64. A secret. */
  readonly private_key?: string | undefined;
  readonly port?: number | undefined;
  /** 0: none. */
  readonly mark?: number | undefined;
  readonly upsert: readonly PeerUpsert[];
  /** Keys. Happens after the upserts, so that a network that moves always belongs to a peer. */
  readonly remove: readonly string[];
}

/** One of WireGuard's engines, on one interface. */
export interface Driver {
  /** Makes the interface be there, down and empty; one that is there is taken over as it is. */
  ensure(): Promise<void>;
  /** What is there. `only`: of the peers, those with these keys; absent, all. Null: there is no interface. */
  read(only?: ReadonlySet<string>): Promise<Reading | null>;
  /**
   * Refuses a value that WireGuard would not take before anything is sent, because an engine does not undo the first
   * half of a change when the second fails. Rejects with `PortTakenError` when everything but the port was done.
   */
  apply(change: Change): Promise<void>;
  /**
   * Sends each of these peers a packet at once: a keepalive, or what begins a handshake where there is no session. Nothing else
   * changes, and afterwards they send one every `keepalive_s`, or none where it `rests`. They have to be there.
   */
  nudge(keys: readonly string[], keepalive_s: number, rests?: (key: string) => boolean): Promise<void>;
  /** Takes the interface away. Nothing happens if there is none. */
  remove(): Promise<void>;
}

export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';

  constructor(port: number) {
    super(`UDP port ${port} is taken: another program listens there, or another WireGuard`);
  }
}

import type { TunnelPeer } from './tunnel.ts';
import { canonicalEndpoint, canonicalNetwork, isKey } from './values.ts';

/** A peer that was asked for, in the spelling in which it is read back. */
export interface WantedPeer {
  readonly id: string;
  readonly key: string;
  readonly networks: readonly string[];
  readonly endpoints: readonly string[];
  readonly carried?: boolean;
  readonly bears?: boolean;
}

/** All peers that were asked for. */
export class WantedPeers {
  readonly #peers = new Map<string, WantedPeer>();
  readonly #keys = new Map<string, string>();
  /** Which peer a network belongs to. */
  readonly #owners = new Map<string, string>();
  readonly #refused = new Map<string, string>();
  readonly #own_key: string;

  /** Throws if two peers have a network in common: the caller has to have settled to which it belongs. */
  constructor(asked: readonly TunnelPeer[], own_key: string) {
    this.#own_key = own_key;
    for (const peer of asked) {
      const wanted = canonical(peer);
      const problem = typeof wanted === 'string' ? wanted : this.#problemWith(wanted);
      if (problem !== undefined) this.#refused.set(peer.id, problem);
      else this.#add(wanted as WantedPeer);
    }
  }

  /** By their keys. */
  get peers(): ReadonlyMap<string, WantedPeer> {
    return this.#peers;
  }

  /** Those that cannot be: what is wrong with them, by their ids. They are left out and do not hinder the others. */
  get refused(): ReadonlyMap<string, string> {
    return this.#refused;
  }

  keyOf(id: string): string | undefined {
    return this.#keys.get(id);
  }

  /**
   * Puts some peers in the place of those with the same ids. Undefined: no such peer any more. False: there is a conflict, which
   * only all of them together can tell: nothing is changed.
   */
  change(changes: ReadonlyMap<string, TunnelPeer | undefined>): boolean {
    if (this.#refused.size > 0) return false;
    const come: WantedPeer[] = [];
    for (const peer of changes.values()) {
      const wanted = peer && canonical(peer);
      if (typeof wanted === 'string') return false;
      if (wanted !== undefined) come.push(wanted);
    }
    if (!this.#hasRoomFor(come, changes)) return false;
    for (const id of changes.keys()) this.#remove(id);
    for (const wanted of come) this.#add(wanted);
    return true;
  }

  #hasRoomFor(come: readonly WantedPeer[], changes: ReadonlyMap<string, unknown>): boolean {
    const taken = new Set<string>([this.#own_key]);
    for (const { key, networks } of come) {
      const owners = [this.#peers.get(key)?.id, ...networks.map((network) => this.#owners.get(network))];
      if (owners.some((id) => id !== undefined && !changes.has(id))) return false;
      for (const thing of [key, ...networks]) {
        if (taken.has(thing)) return false;
        taken.add(thing);
      }
    }
    return true;
  }

  #problemWith({ key }: WantedPeer): string | undefined {
    if (key === this.#own_key) return 'it has the key of this node itself';
    const other = this.#peers.get(key);
    return other === undefined ? undefined : `it has the key of ${other.id}`;
  }

  #add(peer: WantedPeer): void {
    const { id, key, networks } = peer;
    for (const network of networks) {
      const owner = this.#owners.get(network);
      if (owner !== undefined) throw new TypeError(`${network} is asked for twice: for ${owner} and for ${id}`);
      this.#owners.set(network, id);
    }
    this.#peers.set(key, peer);
    this.#keys.set(id, key);
  }

  #remove(id: string): void {
    const key = this.#keys.get(id) ?? '';
    for (const network of this.#peers.get(key)?.networks ?? []) this.#owners.delete(network);
    this.#peers.delete(key);
    this.#keys.delete(id);
  }
}

/** Text: why it cannot be. */
function canonical({ id, key, networks, endpoints, carried, bears }: TunnelPeer): WantedPeer | string {
  if (!isKey(key)) return `${JSON.stringify(key)} is no WireGuard key`;
  const sound: Record<'networks' | 'endpoints', string[]> = { networks: [], endpoints: [] };
  for (const text of networks) {
    const network = canonicalNetwork(text);
    if (network === undefined) return `${JSON.stringify(text)} is no network`;
    sound.networks.push(network);
  }
  // A peer reports its own endpoints, and must not be able to break the configuration of others: invalid ones are left out.
  for (const text of endpoints) {
    const endpoint = canonicalEndpoint(text);
    if (endpoint !== undefined) sound.endpoints.push(endpoint);
  }
  return { id, key, ...sound, ...(carried === true ? { carried } : {}), ...(bears === true ? { bears } : {}) };
}

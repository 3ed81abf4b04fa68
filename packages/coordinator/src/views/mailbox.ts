import type { NodeId } from '@meshwork/contract';

/** More changed peers than this are not remembered one by one: the next answer then has all of them. */
const MOST_CHANGES = 2000;

/** The sections that are sent whole whenever they change. */
export const WHOLE_SECTIONS = ['self', 'relay', 'ingress', 'commands'] as const;
export type WholeSection = (typeof WHOLE_SECTIONS)[number];

/**
 * What changed for one node, and at which revision, since it last said what it holds. It is complete from `since` on: an
 * agent that stands further back has been away for too long and is told everything.
 */
export class Mailbox {
  #since: number;
  #peers: Map<NodeId, number> | undefined;
  readonly #changed: Record<WholeSection, number>;
  #peersChanged: number;
  #newest: number;

  constructor(revision: number) {
    this.#since = revision;
    this.#changed = { self: revision, relay: revision, ingress: revision, commands: revision };
    this.#peersChanged = revision;
    this.#newest = revision;
  }

  /** The revision that last changed a section for this node. */
  changedAt(section: WholeSection | 'peers'): number {
    return section === 'peers' ? this.#peersChanged : this.#changed[section];
  }

  /** The newest of them all. */
  get newest(): number {
    return this.#newest;
  }

  section(section: WholeSection, revision: number): void {
    this.#changed[section] = revision;
    this.#newest = revision;
  }

  peer(peer: NodeId, revision: number): void {
    this.#peersChanged = revision;
    this.#newest = revision;
    this.#peers ??= new Map();
    this.#peers.set(peer, revision);
    if (this.#peers.size <= MOST_CHANGES) return;
    this.#peers = undefined;
    this.#since = revision;
  }

  /** Whether the difference to what an agent holds is known; else it must be told everything. */
  knowsSince(held: number): boolean {
    return held >= this.#since;
  }

  *peersSince(held: number): Generator<NodeId> {
    for (const [peer, revision] of this.#peers ?? []) if (revision > held) yield peer;
  }

  /** The agent has everything up to this revision. One that later stands further back again is told everything. */
  holds(held: number): void {
    if (this.#peers === undefined) return;
    const before = this.#peers.size;
    for (const [peer, revision] of this.#peers) if (revision <= held) this.#peers.delete(peer);
    if (this.#peers.size < before) this.#since = Math.max(this.#since, held);
    if (this.#peers.size === 0) this.#peers = undefined;
  }
}

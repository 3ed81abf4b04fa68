import type { NodeId } from '@meshwork/contract';
import { ChangeLog } from './change-log.ts';
import type { News } from './peer-news.ts';

/** The sections that are sent whole whenever they change. */
export const WHOLE_SECTIONS = ['self', 'relay', 'ingress', 'commands'] as const;
export type WholeSection = (typeof WHOLE_SECTIONS)[number];

/**
 * What changed for one node, and at which revision, since it last said what it holds. What is new about its peers it shares
 * with the rest of its cohort; only what a move to another cohort brought about is its own.
 */
export class NodeView {
  readonly id: NodeId;
  /** Of the sections as they were last written, to tell whether they changed. */
  readonly digests: Record<WholeSection, number>;
  /** What it has in effect is not what it was told: it is told everything once more. */
  distrusted = false;
  readonly #changed: Record<WholeSection, number>;
  #sectionsChanged: number;
  /** Its cohort's. Undefined: it has no peers. */
  #news: News | undefined;
  /** As of when the news of its cohort are for it. */
  #joined: number;
  #moves: ChangeLog;
  #moved: number;
  #held = 0;

  constructor(id: NodeId, given: { revision: number; news: News | undefined; digests: Record<WholeSection, number> }) {
    const { revision, news, digests } = given;
    this.id = id;
    this.digests = digests;
    this.#changed = { self: revision, relay: revision, ingress: revision, commands: revision };
    this.#sectionsChanged = revision;
    this.#news = news;
    this.#joined = revision;
    this.#moves = new ChangeLog(revision);
    this.#moved = revision;
  }

  get news(): News | undefined {
    return this.#news;
  }

  /** The revision that last changed a section for this node. */
  changedAt(section: WholeSection | 'peers'): number {
    return section === 'peers' ? this.#peersChanged() : this.#changed[section];
  }

  /** The newest of them all. */
  get newest(): number {
    return Math.max(this.#sectionsChanged, this.#peersChanged());
  }

  section(section: WholeSection, revision: number): void {
    this.#changed[section] = revision;
    this.#sectionsChanged = revision;
  }

  /** It is of another cohort now, and has gained and lost these peers by it, itself perhaps among them. */
  move(news: News | undefined, met: readonly NodeId[], revision: number): void {
    this.#takeAlong();
    this.#moved = met.some((peer) => peer !== this.id) ? revision : this.#peersChanged();
    for (const peer of met) this.#moves.add(peer, revision);
    this.#news = news;
    this.#joined = revision;
  }

  /** Whether the difference to what an agent holds is known; else it must be told everything. */
  knowsSince(held: number): boolean {
    const since = this.#news?.log.since ?? 0;
    return held >= this.#moves.since && Math.max(held, this.#joined) >= since;
  }

  /** Whom there is something new about. */
  peersSince(held: number): ReadonlySet<NodeId> {
    const peers = new Set<NodeId>();
    for (const [peer] of this.#moves.after(held)) peers.add(peer);
    for (const [peer] of this.#news?.log.after(Math.max(held, this.#joined)) ?? []) peers.add(peer);
    peers.delete(this.id);
    return peers;
  }

  /** The agent has everything up to this revision. One that later stands further back again may be told everything. */
  holds(held: number): void {
    this.#held = held;
    if (!this.#moves.isEmpty) this.#moves.forgetUntil(held);
  }

  #peersChanged(): number {
    const shared = this.#news?.log.newestBut(this.id) ?? 0;
    return shared > this.#joined ? shared : this.#moved;
  }

  /** What the cohort that it leaves has to tell, and it has not heard yet. */
  #takeAlong(): void {
    const log = this.#news?.log;
    if (log === undefined) return;
    const from = Math.max(this.#held, this.#joined);
    if (from < log.since) this.#moves.startAt(log.since);
    else if (from > this.#joined) this.#moves.startAt(from);
    for (const [peer, revision] of log.after(from)) this.#moves.add(peer, revision);
  }
}

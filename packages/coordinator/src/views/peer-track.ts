import type { NodeId } from '@meshwork/contract';
import { ChangeLog } from './change-log.ts';

/**
 * What is new about the peers of one node, as it reads it: in the log that it shares with the rest of its cohort, and in
 * one of its own for what a move to another cohort brought about.
 */
export class PeerTrack {
  readonly #node: NodeId;
  /** Undefined: it has no cohort, and so no peers. */
  #shared: ChangeLog | undefined;
  /**
   * As of when the shared log is for it, and from which line on: what else the same commit says comes behind that line,
   * under the same revision.
   */
  #joined: number;
  #line: number;
  readonly #own: ChangeLog;
  #moved: number;
  #held = 0;

  constructor(
    node: NodeId,
    given: { shared: ChangeLog | undefined; revision: number; log_lines?: number | undefined },
  ) {
    const { shared, revision, log_lines } = given;
    this.#node = node;
    this.#shared = shared;
    this.#joined = revision;
    this.#line = shared?.end ?? 0;
    this.#own = new ChangeLog(revision, log_lines);
    this.#moved = revision;
  }

  /** The revision that last changed anything for this node. */
  get changedAt(): number {
    return Math.max(this.#shared?.newestBut(this.#node, this.#line) ?? 0, this.#moved);
  }

  /** It is of another cohort now, and with these it is not what it was; the node itself may be among them. */
  move(shared: ChangeLog | undefined, about: readonly NodeId[], revision: number): void {
    this.#takeAlong();
    this.#moved = about.some((peer) => peer !== this.#node) ? revision : this.changedAt;
    for (const peer of about) this.#own.add(peer, revision);
    this.#shared = shared;
    this.#joined = revision;
    this.#line = shared?.end ?? 0;
  }

  /** Whether the difference to what an agent holds is known; else everything is sent. */
  knowsSince(held: number): boolean {
    return held >= this.#own.since && this.#reads(held);
  }

  /** Whom there is something new about. */
  since(held: number): ReadonlySet<NodeId> {
    const peers = new Set<NodeId>();
    for (const [peer] of this.#own.after(held)) peers.add(peer);
    for (const [peer] of this.#shared?.after(held, this.#line) ?? []) peers.add(peer);
    peers.delete(this.#node);
    return peers;
  }

  /** The agent has everything up to this revision. One that later falls back behind it may be sent everything. */
  holds(held: number): void {
    this.#held = held;
    if (!this.#own.isEmpty) this.#own.forgetUntil(held);
  }

  /** Copies what the log of the old cohort has that the agent has not received yet. */
  #takeAlong(): void {
    if (this.#shared === undefined) return;
    if (!this.#reads(this.#held)) this.#own.startAt(this.#shared.since);
    else if (this.#held > this.#joined) this.#own.startAt(this.#held);
    for (const [peer, revision] of this.#shared.after(this.#held, this.#line)) this.#own.add(peer, revision);
  }

  /** Whether all that the shared log has for it beyond a revision is still there. */
  #reads(held: number): boolean {
    return this.#shared === undefined || held >= this.#shared.since || this.#shared.hasLine(this.#line);
  }
}

import type { NodeId } from '@meshwork/contract';

/** More lines than this are not kept: an agent that would need older ones is sent everything. */
const MOST_LINES = 2000;

/**
 * Which peers changed, and at which revision, oldest first. It is complete from `since` on. A line says only that there
 * is something new about a peer: what that is, is looked up when it is sent.
 */
export class ChangeLog {
  #since: number;
  #peers: NodeId[] = [];
  #revisions: number[] = [];
  #forgotten = 0;
  readonly #most: number;

  constructor(since: number, most = MOST_LINES) {
    this.#since = since;
    this.#most = most;
  }

  get since(): number {
    return this.#since;
  }

  /** The number that the next line will have. Lines are counted from the beginning, also those that are forgotten. */
  get end(): number {
    return this.#forgotten + this.#peers.length;
  }

  /** Whether everything from that line on is still there. */
  hasLine(line: number): boolean {
    return line >= this.#forgotten;
  }

  get isEmpty(): boolean {
    return this.#peers.length === 0;
  }

  /** Answers whether it forgot older lines for it: an agent that would need them is sent everything. */
  add(peer: NodeId, revision: number): boolean {
    this.#peers.push(peer);
    this.#revisions.push(revision);
    const isFull = this.#peers.length > this.#most;
    if (isFull) this.#forget(Math.ceil(this.#most / 2));
    return isFull;
  }

  /** An agent that holds less than this revision is sent everything. */
  startAt(revision: number): void {
    this.forgetUntil(revision);
    this.#since = Math.max(this.#since, revision);
  }

  /** Forgets the lines up to a revision. */
  forgetUntil(revision: number): void {
    this.#forget(this.#firstAfter(revision));
  }

  /** The newest revision from a line on that concerns anybody else than this node. 0: there is none. */
  newestBut(node: NodeId, line = 0): number {
    const first = Math.max(0, line - this.#forgotten);
    for (let at = this.#peers.length - 1; at >= first; at--) {
      if (this.#peers[at] !== node) return this.#revisions[at] as number;
    }
    return 0;
  }

  /** What came after a revision, from a line on. */
  *after(revision: number, line = 0): Generator<readonly [peer: NodeId, revision: number]> {
    const first = Math.max(this.#firstAfter(revision), line - this.#forgotten);
    for (let at = first; at < this.#peers.length; at++) {
      yield [this.#peers[at] as NodeId, this.#revisions[at] as number];
    }
  }

  #firstAfter(revision: number): number {
    let [from, to] = [0, this.#revisions.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#revisions[middle] as number) <= revision) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #forget(lines: number): void {
    if (lines === 0) return;
    this.#since = Math.max(this.#since, this.#revisions[lines - 1] as number);
    this.#forgotten += lines;
    this.#peers = this.#peers.slice(lines);
    this.#revisions = this.#revisions.slice(lines);
  }
}

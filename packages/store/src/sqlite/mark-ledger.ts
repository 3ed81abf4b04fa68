import type { Mark } from '../journal.ts';
import { requireMark } from '../marks.ts';
import { fullLine, shortLine } from './mark-text.ts';
import type { StampedMark } from './stored-marks.ts';

/** Batches that are kept as they came, about a minute's worth. */
const BATCHES_KEPT = 64;

/** What the writer is to do with a batch of marks. */
export interface MarkBatch {
  /** All of them in one piece; see `mark-text.ts`. */
  readonly text: string;
  /** The oldest batch goes, and what no later one has of it gets a row of its own. */
  readonly settled: { readonly stamp: number; readonly marks: readonly StampedMark[] } | null;
}

/** What the disk has of a key. Changed in place: these are many, and most change every second. */
interface Known {
  readonly key: string;
  /** Minus infinity: it has nothing. */
  at_ms: number;
  count: number;
  /** Undefined: it is not known here, because an earlier process wrote it; so it is written once more. */
  body: string | null | undefined;
  /** The batch of the latest mark. */
  stamp: number;
  /** The batch that gave the body in full. */
  body_stamp: number;
  /** The mark that is being written. */
  next: Mark | undefined;
}

/** The keys that a batch has marks of. */
interface Kept {
  readonly stamp: number;
  readonly known: readonly Known[];
}

/**
 * Remembers which batch has the latest mark of each key, and which its body. What is seen all the time is marked again
 * long before its batch is the oldest, and so costs no row: a heartbeat is a short line in a batch, and nothing else. A
 * row is written for what has fallen silent, and for a body that has stayed the same for longer than batches are kept.
 */
export class MarkLedger {
  readonly #known: Map<string, Known>;
  readonly #batches: Kept[] = [];
  readonly #kept: number;
  /** Those with a `next`. */
  #due: Known[] = [];

  /** `times`: of the latest mark of each key that is in the store when it is opened. No batches are left by then. */
  constructor(times: ReadonlyMap<string, number>, kept = BATCHES_KEPT) {
    this.#known = new Map(Array.from(times, ([key, at_ms]) => [key, unwritten(key, at_ms)]));
    this.#kept = kept;
  }

  /** What to write for these, or null when all of them are older than what is there. Call `wrote` when that succeeded. */
  prepare(marks: readonly Mark[]): MarkBatch | null {
    for (const known of this.#due) known.next = undefined; // they could not be written
    this.#due = [];
    for (const mark of marks) this.#take(mark);
    return this.#due.length === 0 ? null : { text: this.#text(), settled: this.#settled() };
  }

  /** The batch is on disk, under this stamp. */
  wrote({ settled }: MarkBatch, stamp: number): void {
    if (settled !== null) this.#batches.shift();
    this.#batches.push({ stamp, known: this.#due });
    for (const known of this.#due) note(known, stamp);
    this.#due = [];
  }

  #take(mark: Mark): void {
    let known = this.#known.get(mark.key);
    // A key and a body are looked at when they are new.
    const looked = known?.body === mark.body && Number.isSafeInteger(mark.at_ms) && Number.isSafeInteger(mark.count);
    if (!looked) requireMark(mark);
    if (known === undefined) {
      known = unwritten(mark.key, Number.NEGATIVE_INFINITY);
      this.#known.set(mark.key, known);
    }
    if (mark.at_ms < (known.next ?? known).at_ms) return;
    if (known.next === undefined) this.#due.push(known);
    known.next = mark;
  }

  #text(): string {
    const from_ms = this.#due[0]?.next?.at_ms ?? 0;
    let text = String(from_ms);
    for (const { body, next } of this.#due) {
      if (next !== undefined) text += body === next.body ? shortLine(next, from_ms) : fullLine(next);
    }
    return text;
  }

  /** What has its body in the oldest batch gets its row as it is now; the batches that follow say the same of it. */
  #settled(): MarkBatch['settled'] {
    const oldest = this.#batches.length < this.#kept ? undefined : this.#batches[0];
    if (oldest === undefined) return null;
    const marks: StampedMark[] = [];
    for (const { key, at_ms, count, body, stamp, body_stamp } of oldest.known) {
      const needed = stamp === oldest.stamp || body_stamp === oldest.stamp;
      if (needed && body !== undefined) marks.push({ key, at_ms, count, body, stamp });
    }
    return { stamp: oldest.stamp, marks };
  }
}

function unwritten(key: string, at_ms: number): Known {
  return { key, at_ms, count: 0, body: undefined, stamp: 0, body_stamp: 0, next: undefined };
}

function note(known: Known, stamp: number): void {
  const { next } = known;
  if (next === undefined) return;
  if (known.body !== next.body) known.body_stamp = stamp;
  known.at_ms = next.at_ms;
  known.count = next.count;
  known.body = next.body;
  known.stamp = stamp;
  known.next = undefined;
}

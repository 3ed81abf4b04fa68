import type { Mark } from '../journal.ts';

/** Batches that are kept as they came, about a minute's worth. */
const BATCHES_KEPT = 64;

/** What the writer is to do with a batch of marks. */
export interface MarkBatch {
  /** All of them in one piece, as JSON. */
  readonly text: string;
  /** Marks of the oldest batch that no later one has replaced. They get a row of their own, and the batch goes. */
  readonly settled: { readonly stamp: number; readonly marks: readonly Mark[] } | null;
}

interface Kept {
  readonly stamp: number;
  readonly marks: readonly Mark[];
}

/**
 * Remembers which batch has the latest mark of each key. What is seen all the time is marked again long before its batch
 * is the oldest, and so never costs a row of its own: a heartbeat costs a few bytes in a batch, and nothing else.
 */
export class MarkLedger {
  readonly #latest = new Map<string, { readonly stamp: number; readonly at_ms: number }>();
  readonly #batches: Kept[] = [];

  /** What to write for these, or null when all of them are older than what is there. */
  prepare(marks: readonly Mark[]): { readonly batch: MarkBatch; readonly marks: readonly Mark[] } | null {
    const news = marks.filter(({ key, at_ms }) => at_ms >= (this.#latest.get(key)?.at_ms ?? 0));
    if (news.length === 0) return null;
    const oldest = this.#batches.length < BATCHES_KEPT ? undefined : this.#batches[0];
    const settled =
      oldest === undefined
        ? null
        : {
            stamp: oldest.stamp,
            marks: oldest.marks.filter(({ key }) => this.#latest.get(key)?.stamp === oldest.stamp),
          };
    return { batch: { text: JSON.stringify(news), settled }, marks: news };
  }

  /** They are on disk, under this stamp. */
  wrote(marks: readonly Mark[], stamp: number, settled: MarkBatch['settled']): void {
    if (settled !== null && this.#batches[0]?.stamp === settled.stamp) this.#batches.shift();
    this.#batches.push({ stamp, marks });
    for (const { key, at_ms } of marks) this.#latest.set(key, { stamp, at_ms });
  }
}

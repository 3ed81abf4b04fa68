import type { Journal } from '@meshwork/store';
import { EVENTS_LOG } from '../../mesh/event-entry.ts';
import { type FramedEvent, framed } from './event-frame.ts';

/** Events that are kept in memory: a stream that is no further behind costs the journal nothing. */
const RING = 4096;
/** Events read at a time, and so what a stream holds at most. */
const PAGE = 256;

/** What comes next in a stream: events, none yet, or the news that what came next is no longer kept. */
export type Next = { readonly events: readonly FramedEvent[] } | { readonly oldest: number };

/**
 * The end of the log, read once for all streams. What lies further back each stream reads for itself, at its own pace.
 */
export class NewestEvents {
  readonly #journal: Journal;
  /** Without gaps, up to `#last`. */
  #ring: FramedEvent[] = [];
  /** The newest event known. Undefined: not looked yet. */
  #last: number | undefined;
  #stale = true;
  #reading: Promise<void> | undefined;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Whether there may be more in the journal by now. */
  get outdated(): boolean {
    return this.#stale;
  }

  outdate(): void {
    this.#stale = true;
  }

  /** Everything may be different, or there are no streams any more. */
  forget(): void {
    this.#ring = [];
    this.#last = undefined;
    this.#stale = true;
  }

  /** Reads what came since, or a page of it, once for all who ask meanwhile. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async after(seq: number): Promise<Next> {
    const kept = this.#kept(seq);
    if (kept !== undefined) return { events: kept };
    const entries = await this.#journal.range({
      log: EVENTS_LOG,
      order: 'oldest_first',
      limit: PAGE,
      after_seq: seq,
    });
    if (entries[0]?.seq !== seq + 1) {
      // Trimmed away, or never there: the store was restored from a backup that ends earlier.
      const { base_seq, head_seq } = await this.#journal.ends(EVENTS_LOG);
      if (seq < base_seq || seq > head_seq) return { oldest: base_seq + 1 };
    }
    return { events: entries.map(framed) };
  }

  #kept(seq: number): readonly FramedEvent[] | undefined {
    if (seq === this.#last) return [];
    const first = this.#ring[0]?.seq;
    if (first === undefined || this.#last === undefined || seq + 1 < first || seq > this.#last) return undefined;
    return this.#ring.slice(seq + 1 - first, seq + 1 - first + PAGE);
  }

  async #read(): Promise<void> {
    this.#stale = false;
    try {
      await this.#readOn();
    } catch (error) {
      this.#stale = true; // the next one who asks tries again
      throw error;
    }
  }

  async #readOn(): Promise<void> {
    const ring = this.#ring;
    if (this.#last === undefined) {
      const { head_seq } = await this.#journal.ends(EVENTS_LOG);
      if (ring === this.#ring) this.#last = head_seq;
      return;
    }
    const from = { order: 'oldest_first', after_seq: this.#last } as const;
    const entries = await this.#journal.range({ log: EVENTS_LOG, limit: PAGE, ...from });
    const newest = entries.at(-1)?.seq;
    if (ring !== this.#ring || newest === undefined) return; // forgotten meanwhile, or nothing new
    if (entries[0]?.seq !== this.#last + 1) ring.length = 0;
    for (const entry of entries) ring.push(framed(entry));
    if (ring.length > RING + PAGE) ring.splice(0, ring.length - RING);
    this.#last = newest;
    if (entries.length === PAGE) this.#stale = true; // perhaps not all yet
  }
}

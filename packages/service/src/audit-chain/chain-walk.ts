import type { ChainFault } from '@meshwork/contract';
import { type ChainPoint, chainHash } from '@meshwork/contract/chain';
import type { Entry } from '@meshwork/store';
import type { Reader, Reading } from './reading.ts';

/** Faults that one report names at most. */
export const MAX_FAULTS = 100;

/**
 * Takes the entries of a chain one after another and recomputes their hashes. It names each that was tampered with
 * alone: one fault does not drag all later entries with it.
 */
export class ChainWalk {
  readonly faults: ChainFault[] = [];
  /** How far retention went by what the entries say. Undefined: none says that it removed anything. */
  trimmed: ChainPoint | undefined;
  checked = 0;
  /** The place of the entry to come. */
  next = 0;
  /**
   * The hashes that the previous entry may have had: usually the one it has. After an altered entry the next one shows whether
   * the text or the hash was altered. Empty: the previous entry is lost.
   */
  #before: readonly string[] = [];
  readonly #read: Reader;
  readonly #watched: number | undefined;
  #seen: readonly string[] | undefined;

  /** `watched`: the place whose hash will be asked for. */
  constructor(start: ChainPoint, read: Reader, watched: number | undefined) {
    this.#read = read;
    this.#watched = watched;
    this.goOnAfter(start);
  }

  /** The hashes that the watched entry may have had. Undefined: it was not met. */
  get seen(): readonly string[] | undefined {
    return this.#seen;
  }

  goOnAfter({ seq, hash }: ChainPoint): void {
    this.#stepTo(seq, [hash]);
  }

  take(entry: Entry): void {
    if (entry.seq !== this.next) this.#miss(entry.seq);
    const { seq, id, revision, hash } = entry;
    const stored = hash ?? '';
    const fitting = this.#before.map((previous) => chainHash({ previous, seq, revision, body: entry.body }));
    this.checked += 1;
    if (fitting.length > 0 && !fitting.includes(stored)) {
      const detail = `Entry ${seq} (${id}) does not have the hash that its text and the entry before it give.`;
      this.#add({ seq, id, reason: 'altered', detail });
      // Of the recomputed, those that go back to the stored hash before and to the last entry that was whole.
      this.#stepTo(seq, [...new Set([stored, ...fitting.slice(0, 1), ...fitting.slice(-1)])]);
      return;
    }
    this.#readText(entry);
    this.#stepTo(seq, [stored]);
  }

  /** Whether the chain ends where it was recorded to end. */
  endsAt({ seq, hash }: ChainPoint): boolean {
    return this.next - 1 === seq && this.#before.includes(hash);
  }

  #readText(entry: Entry): void {
    const { seq, id } = entry;
    const reading = this.#read(entry);
    if (reading === undefined || !isFiledRight(entry, reading.text)) {
      const detail = `Entry ${seq} (${id}) is filed under another id, time, actor, action or target than its text says.`;
      this.#add({ seq, id, reason: 'misplaced', detail });
      return;
    }
    const point = reading.trimmed;
    if (point !== undefined && point.seq < seq && point.seq >= (this.trimmed?.seq ?? 0)) this.trimmed = point;
  }

  #miss(found: number): void {
    const detail = `Entries ${this.next} to ${found - 1} are missing. Without them the text of entry ${found} cannot be verified.`;
    this.#add({ seq: this.next, id: null, reason: 'missing', detail });
    this.#before = [];
  }

  #stepTo(seq: number, hashes: readonly string[]): void {
    this.next = seq + 1;
    this.#before = hashes;
    if (seq === this.#watched) this.#seen = hashes;
  }

  #add(fault: ChainFault): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push(fault);
  }
}

/** The columns that queries filter by are copies from the text: they must say the same. */
function isFiledRight(entry: Entry, { id, at, action, actor, target }: Reading['text']): boolean {
  return (
    id === entry.id &&
    Date.parse(at) === entry.at_ms &&
    action === entry.action &&
    actor.id === entry.actor &&
    (target?.id ?? null) === entry.target
  );
}

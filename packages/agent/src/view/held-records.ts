import type { Peer, PeerTerms } from '@meshwork/contract';
import { digestOfPeerRecord } from '@meshwork/contract/section-digest';
import { DigestSum } from './digest-sum.ts';

/** How records of one kind are identified, and how the coordinator computes the digest of one. */
export interface RecordKind<R> {
  readonly idOf: (record: R) => string;
  readonly digestOf: (record: R) => number;
}

export const PEER: RecordKind<Peer> = {
  idOf: ({ id }) => id,
  digestOf: (record) => digestOfPeerRecord('peers', record),
};
export const PEER_TERMS: RecordKind<PeerTerms> = {
  idOf: ({ peer }) => peer,
  digestOf: (record) => digestOfPeerRecord('acl', record),
};

/** Ours: with more changes than this at once, comparing everything costs little more. */
const MAX_CHANGES = 512;

interface Changed<R> {
  readonly id: string;
  /** Undefined: there was none. */
  readonly before: R | undefined;
}

/** Records of one kind, by id. The last changes are remembered: an engine asks what changed since it last succeeded. */
export class HeldRecords<R> extends DigestSum {
  readonly #kind: RecordKind<R>;
  readonly #records = new Map<string, R>();
  #changes: Changed<R>[] = [];
  /** How many changes there were before those that are remembered. */
  #forgotten = 0;

  constructor(kind: RecordKind<R>) {
    super();
    this.#kind = kind;
  }

  get(id: string): R | undefined {
    return this.#records.get(id);
  }

  all(): Iterable<R> {
    return this.#records.values();
  }

  /** Rises with each change. */
  get mark(): number {
    return this.#forgotten + this.#changes.length;
  }

  /** What each record that changed since a mark was then. Undefined: too much has changed to say. */
  changedSince(mark: number): ReadonlyMap<string, R | undefined> | undefined {
    if (mark < this.#forgotten) return undefined;
    const changed = new Map<string, R | undefined>();
    for (const { id, before } of this.#changes.slice(mark - this.#forgotten)) {
      if (!changed.has(id)) changed.set(id, before);
    }
    return changed;
  }

  /** New, or in place of the one with the same id. */
  put(record: R): void {
    const id = this.#kind.idOf(record);
    this.set(id, this.#kind.digestOf(record));
    this.#note(id);
    this.#records.set(id, record);
  }

  remove(id: string): void {
    this.delete(id);
    this.#note(id);
    this.#records.delete(id);
  }

  override clear(): void {
    super.clear();
    this.#records.clear();
    this.#forgotten = this.mark + 1;
    this.#changes = [];
  }

  #note(id: string): void {
    if (this.#changes.length >= MAX_CHANGES) {
      this.#forgotten += this.#changes.length;
      this.#changes = [];
    }
    this.#changes.push({ id, before: this.#records.get(id) });
  }
}

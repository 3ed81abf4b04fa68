import type { Peer, PeerTerms } from '@meshwork/contract';
import { EMPTY_DIGEST, withItem, withoutItem } from '@meshwork/contract/digest';
import { digestOfPeerRecord } from '@meshwork/contract/section-digest';

/**
 * Records of one kind, by id, as a node was told. `KeptRecords` has the records themselves, which a data plane needs;
 * `RecordDigests` only their digests, which are enough to say truthfully what is held and let a simulated fleet be large.
 */
export interface HeldRecords<R> {
  readonly size: number;
  /** Of all of them together. */
  readonly digest: number;
  ids(): Iterable<string>;
  has(id: string): boolean;
  /** New, or in place of the one with the same id. */
  put(record: R): void;
  remove(id: string): void;
  clear(): void;
}

/** What tells records of one kind apart, and how the coordinator computes the digest of one. */
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

/** What a node holds as records. A data plane that needs the records asks for `Kept`. */
export interface Held {
  readonly peers: HeldRecords<Peer>;
  readonly acl: HeldRecords<PeerTerms>;
}

export interface Kept extends Held {
  readonly peers: KeptRecords<Peer>;
  readonly acl: KeptRecords<PeerTerms>;
}

export function newKept(): Kept {
  return { peers: new KeptRecords(PEER), acl: new KeptRecords(PEER_TERMS) };
}

export class RecordDigests<R> implements HeldRecords<R> {
  readonly #kind: RecordKind<R>;
  /** Absent until there is a record: most nodes of a large fleet may never have one of some kind. */
  #byId: Map<string, number> | undefined;
  #sum = EMPTY_DIGEST;

  constructor(kind: RecordKind<R>) {
    this.#kind = kind;
  }

  get size(): number {
    return this.#byId?.size ?? 0;
  }

  get digest(): number {
    return this.#sum;
  }

  ids(): Iterable<string> {
    return this.#byId?.keys() ?? [];
  }

  has(id: string): boolean {
    return this.#byId?.has(id) ?? false;
  }

  put(record: R): void {
    const id = this.#kind.idOf(record);
    const digest = this.#kind.digestOf(record);
    this.#byId ??= new Map();
    const before = this.#byId.get(id) ?? EMPTY_DIGEST;
    this.#byId.set(id, digest);
    this.#sum = withItem(withoutItem(this.#sum, before), digest);
  }

  remove(id: string): void {
    const digest = this.#byId?.get(id);
    if (digest === undefined) return;
    this.#byId?.delete(id);
    this.#sum = withoutItem(this.#sum, digest);
  }

  clear(): void {
    this.#byId = undefined;
    this.#sum = EMPTY_DIGEST;
  }
}

/** Ours: with more changes than this at once, looking at everything costs little more. */
const MAX_CHANGES = 512;

interface Changed<R> {
  readonly id: string;
  /** Undefined: there was none. */
  readonly before: R | undefined;
}

/**
 * The records beside their digests, so that none is hashed again when it goes. The last changes are remembered: an engine
 * asks what changed since it last looked.
 */
export class KeptRecords<R> extends RecordDigests<R> {
  readonly #idOf: (record: R) => string;
  readonly #records = new Map<string, R>();
  #changes: Changed<R>[] = [];
  /** How many changes there were before those that are remembered. */
  #forgotten = 0;

  constructor(kind: RecordKind<R>) {
    super(kind);
    this.#idOf = kind.idOf;
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

  override put(record: R): void {
    super.put(record);
    const id = this.#idOf(record);
    this.#note(id);
    this.#records.set(id, record);
  }

  override remove(id: string): void {
    super.remove(id);
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

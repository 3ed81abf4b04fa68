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

/** The records beside their digests, so that none is hashed again when it goes. */
export class KeptRecords<R> extends RecordDigests<R> {
  readonly #idOf: (record: R) => string;
  readonly #records = new Map<string, R>();

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

  override put(record: R): void {
    super.put(record);
    this.#records.set(this.#idOf(record), record);
  }

  override remove(id: string): void {
    super.remove(id);
    this.#records.delete(id);
  }

  override clear(): void {
    super.clear();
    this.#records.clear();
  }
}

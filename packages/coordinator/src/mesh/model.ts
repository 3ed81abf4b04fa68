import type { Change, Document, News, Revision } from '@meshwork/store';
import { type BodyOf, isKind, KIND_NAMES, type Kind } from './kinds.ts';
import { Shelf } from './shelf.ts';

/** A document as the model holds it: immutable, replaced as a whole. */
export interface Stored<K extends Kind> {
  readonly id: string;
  /** The commit that wrote it; also its ETag. */
  readonly revision: Revision;
  readonly body: BodyOf<K>;
}

/** What can be read. The model and a running transaction both are one. */
export interface View {
  get<K extends Kind>(kind: K, id: string): Stored<K> | undefined;
  all<K extends Kind>(kind: K): Iterable<Stored<K>>;
}

type Shelves = { readonly [K in Kind]: Shelf<Stored<K>> };

/** The whole mesh in memory, as of one revision. Only the writer changes it. */
export class Model implements View {
  #revision: Revision = 0;
  readonly #shelves = Object.fromEntries(KIND_NAMES.map((kind) => [kind, new Shelf()])) as Shelves;

  get revision(): Revision {
    return this.#revision;
  }

  get<K extends Kind>(kind: K, id: string): Stored<K> | undefined {
    return this.#shelf(kind).get(id);
  }

  all<K extends Kind>(kind: K): Iterable<Stored<K>> {
    return this.#shelf(kind).values();
  }

  /** In order of id, which for most kinds is the order of creation, from just after a given id. */
  after<K extends Kind>(kind: K, id: string | undefined): Iterable<Stored<K>> {
    return this.#shelf(kind).after(id);
  }

  count(kind: Kind): number {
    return this.#shelves[kind].size;
  }

  /** At start, before anyone reads. */
  fill(documents: readonly Document[]): void {
    for (const document of documents) this.#set(document, document.revision);
  }

  /** At start, once `fill` has seen everything. */
  standAt(revision: Revision): void {
    this.#revision = revision;
  }

  /** What this coordinator committed. */
  apply<K extends Kind>(revision: Revision, puts: readonly Put<K>[]): void {
    for (const put of puts) {
      if (put.body === null) this.#shelf(put.kind).delete(put.id);
      else this.#shelf(put.kind).set(put.id, { id: put.id, revision, body: put.body });
    }
    this.#revision = revision;
  }

  /** What other coordinators committed. */
  catchUp(news: News): void {
    if (news.whole) for (const kind of KIND_NAMES) this.#shelves[kind].clear();
    for (const document of news.documents) this.#set(document, document.revision);
    this.#revision = news.revision;
  }

  #set(change: Change, revision: Revision): void {
    // A kind that this version does not know can only come from a newer coordinator on the same store during an
    // upgrade. It is not ours to touch, and we never write it back.
    if (!isKind(change.kind)) return;
    if (change.body === null) this.#shelves[change.kind].delete(change.id);
    else this.#shelf(change.kind).set(change.id, { id: change.id, revision, body: JSON.parse(change.body) });
  }

  #shelf<K extends Kind>(kind: K): Shelf<Stored<K>> {
    return this.#shelves[kind];
  }
}

/** A change whose body is still an object. `null` deletes. */
export interface Put<K extends Kind = Kind> {
  readonly kind: K;
  readonly id: string;
  readonly body: BodyOf<K> | null;
}

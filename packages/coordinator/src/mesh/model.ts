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

/**
 * Told of every change of the model, whoever made it, so that what is derived from the mesh can follow it. Called while
 * the model changes, one document after another; `settled` comes once a whole commit is in.
 */
export interface ModelWatch {
  changed<K extends Kind>(change: Changed<K>): void;
  settled?(): void;
  /** Everything may be different. */
  reset?(): void;
}

export interface Changed<K extends Kind = Kind> {
  readonly kind: K;
  readonly id: string;
  /** Undefined: it was not there. */
  readonly before: Stored<K> | undefined;
  /** Undefined: it is gone. */
  readonly after: Stored<K> | undefined;
  readonly revision: Revision;
}

/** The whole mesh in memory, as of one revision. Only the writer changes it. */
export class Model implements View {
  #revision: Revision = 0;
  readonly #shelves: ReadonlyMap<Kind, Shelf<unknown>> = new Map(KIND_NAMES.map((kind) => [kind, new Shelf()]));

  readonly #watches: ModelWatch[] = [];

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
    return this.#shelf(kind).size;
  }

  watch(watch: ModelWatch): void {
    this.#watches.push(watch);
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
    this.#revision = revision;
    for (const { kind, id, body } of puts) this.#replace(kind, id, revision, body);
    for (const watch of this.#watches) watch.settled?.();
  }

  /** What other coordinators committed. */
  catchUp(news: News): void {
    this.#revision = news.revision;
    if (news.whole) {
      for (const shelf of this.#shelves.values()) shelf.clear();
      for (const document of news.documents) this.#set(document, document.revision);
      for (const watch of this.#watches) watch.reset?.();
      return;
    }
    for (const { kind, id, revision, body } of news.documents) {
      if (isKind(kind)) this.#replace(kind, id, revision, body === null ? null : JSON.parse(body));
    }
    for (const watch of this.#watches) watch.settled?.();
  }

  #replace<K extends Kind>(kind: K, id: string, revision: Revision, body: BodyOf<K> | null): void {
    const shelf = this.#shelf(kind);
    const before = shelf.get(id);
    const after = body === null ? undefined : { id, revision, body };
    if (after === undefined) shelf.delete(id);
    else shelf.set(id, after);
    for (const watch of this.#watches) watch.changed({ kind, id, before, after, revision });
  }

  #set(change: Change, revision: Revision): void {
    // A kind that this version does not know can only come from a newer coordinator on the same store during an
    // upgrade. It is not ours to touch, and we never write it back.
    if (!isKind(change.kind) || change.body === null) return;
    this.#shelf(change.kind).set(change.id, { id: change.id, revision, body: JSON.parse(change.body) });
  }

  #shelf<K extends Kind>(kind: K): Shelf<Stored<K>> {
    return this.#shelves.get(kind) as Shelf<Stored<K>>; // there is one for every kind, and only its own are put there
  }
}

/** A change whose body is still an object. `null` deletes. */
export interface Put<K extends Kind = Kind> {
  readonly kind: K;
  readonly id: string;
  readonly body: BodyOf<K> | null;
}

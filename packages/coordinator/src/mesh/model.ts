import type { Change, Document, News, Revision } from '@meshwork/store';
import { type BodyOf, isKind, KIND_NAMES, type Kind } from '../kinds/kinds.ts';
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
 * Follows every change of the model, whichever coordinator made it, so that derived state stays current. Called once the
 * model is complete: `changed` for each document in order of commit, then `settled` once. So `before` and `after` are of
 * the change, and whatever else is read from the model is already of the newest revision.
 *
 * A watcher must not throw. If one does, what it derives is wrong from then on: the model reports a failure, and the
 * process has to end (`Model.onFailure`).
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
  readonly #failureListeners: ((error: unknown) => void)[] = [];
  #failure: { readonly error: unknown } | undefined;

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

  /** Whether a watcher threw: the documents are right, and what is derived from them is not. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Calls the listener once, with the first error that a watcher threw. */
  onFailure(listener: (error: unknown) => void): void {
    if (this.#failure === undefined) this.#failureListeners.push(listener);
    else listener(this.#failure.error);
  }

  /** At start, before anyone reads. */
  fill(documents: readonly Document[]): void {
    for (const document of documents) {
      const put = parse(document);
      if (put !== undefined) this.#put(put, document.revision);
    }
  }

  /** At start, once `fill` has seen everything. */
  standAt(revision: Revision): void {
    this.#revision = revision;
  }

  /** What this coordinator committed. */
  apply(revision: Revision, puts: readonly Put[]): void {
    this.applyAll([{ revision, puts }]);
  }

  /** All transactions of one commit, which became durable together. */
  applyAll(commits: readonly { readonly revision: Revision; readonly puts: readonly Put[] }[]): void {
    if (commits.length === 0) return;
    const changes: Changed[] = [];
    for (const { revision, puts } of commits) {
      for (const put of puts) changes.push(this.#put(put, revision));
      this.#revision = revision;
    }
    this.#notify(changes);
  }

  /** What other coordinators committed. Parsed as a whole first, so that a broken document changes nothing. */
  catchUp(news: News): void {
    const puts: { readonly put: Put; readonly revision: Revision }[] = [];
    for (const document of news.documents) {
      const put = parse(document);
      if (put !== undefined) puts.push({ put, revision: document.revision });
    }
    if (news.whole) for (const shelf of this.#shelves.values()) shelf.clear();
    const changes = puts.map(({ put, revision }) => this.#put(put, revision));
    this.#revision = news.revision;
    if (news.whole) this.#each((watch) => watch.reset?.());
    else this.#notify(changes);
  }

  #put<K extends Kind>({ kind, id, body }: Put<K>, revision: Revision): Changed<K> {
    const shelf = this.#shelf(kind);
    const before = shelf.get(id);
    const after = body === null ? undefined : { id, revision, body };
    if (after === undefined) shelf.delete(id);
    else shelf.set(id, after);
    return { kind, id, before, after, revision };
  }

  /** Change by change, for some watchers go by what others derived from the same change. */
  #notify(changes: readonly Changed[]): void {
    for (const change of changes) this.#each((watch) => watch.changed(change));
    this.#each((watch) => watch.settled?.());
  }

  /** The others are notified all the same: only the state of the one that threw is lost. */
  #each(notify: (watch: ModelWatch) => void): void {
    for (const watch of this.#watches) {
      try {
        notify(watch);
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    for (const listener of this.#failureListeners) listener(error);
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

/**
 * Undefined: a kind that this version does not know. It comes from a newer coordinator on the same store during an
 * upgrade, is not ours to touch, and is never written back or deleted.
 */
function parse({ kind, id, body }: Change): Put | undefined {
  if (!isKind(kind)) return undefined;
  return { kind, id, body: body === null ? null : JSON.parse(body) };
}

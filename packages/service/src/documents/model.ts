import type { Change, Document, Journal, News, Revision } from '@meshwork/store';
import { OrderedMap } from './ordered-map.ts';

/** The kinds of documents that a service has: by name, what a document of the kind holds. */
export type KindOf<D> = keyof D & string;

/** A document as the model holds it: immutable, replaced as a whole. */
export interface Stored<D, K extends KindOf<D> = KindOf<D>> {
  readonly id: string;
  /** The commit that wrote it; also its ETag. */
  readonly revision: Revision;
  readonly body: D[K];
}

/** What can be read. The model and a running transaction both are one. */
export interface View<D> {
  get<K extends KindOf<D>>(kind: K, id: string): Stored<D, K> | undefined;
  /** In no particular order. */
  all<K extends KindOf<D>>(kind: K): Iterable<Stored<D, K>>;
}

/** A change whose body is still an object. `null` deletes. */
export interface Put<D, K extends KindOf<D> = KindOf<D>> {
  readonly kind: K;
  readonly id: string;
  readonly body: D[K] | null;
}

export interface Changed<D, K extends KindOf<D> = KindOf<D>> {
  readonly kind: K;
  readonly id: string;
  /** Undefined: it was not there. */
  readonly before: Stored<D, K> | undefined;
  /** Undefined: it is gone. */
  readonly after: Stored<D, K> | undefined;
  readonly revision: Revision;
}

/**
 * Follows every change of the model, whichever process made it, so that derived state stays current. Called once the
 * model is complete: `changed` for each document in order of commit, then `settled` once. So `before` and `after` are of
 * the change, and whatever else is read from the model is already of the newest revision.
 *
 * A watcher must not throw. If one does, what it derives is wrong from then on: the model reports a failure, and the
 * process has to end (`Model.onFailure`).
 */
export interface ModelWatch<D> {
  changed<K extends KindOf<D>>(change: Changed<D, K>): void;
  settled?(): void;
  /** Everything may be different. `before`: what the model was. */
  reset?(before: View<D>): void;
}

type Maps<D> = ReadonlyMap<string, OrderedMap<Stored<D>>>;

/** Every document of a service in memory, as of one revision. Only the writer changes it. */
export class Model<D> implements View<D> {
  #revision: Revision = 0;
  readonly #kinds: readonly KindOf<D>[];
  #maps: Maps<D>;
  readonly #watches: ModelWatch<D>[] = [];
  readonly #failureListeners: ((error: unknown) => void)[] = [];
  #failure: { readonly error: unknown } | undefined;
  readonly #unknownKind: (kind: string) => void;

  /** `unknown_kind` is called with each document of a kind that this version does not know. */
  constructor(kinds: readonly KindOf<D>[], unknown_kind: (kind: string) => void = () => undefined) {
    this.#kinds = kinds;
    this.#maps = this.#empty();
    this.#unknownKind = unknown_kind;
  }

  get revision(): Revision {
    return this.#revision;
  }

  get<K extends KindOf<D>>(kind: K, id: string): Stored<D, K> | undefined {
    return mapOf(this.#maps, kind).get(id);
  }

  all<K extends KindOf<D>>(kind: K): Iterable<Stored<D, K>> {
    return mapOf(this.#maps, kind).values();
  }

  /** In order of id, which for most kinds is the order of creation, from just after a given id. */
  after<K extends KindOf<D>>(kind: K, id: string | undefined): Iterable<Stored<D, K>> {
    return mapOf(this.#maps, kind).after(id);
  }

  count(kind: KindOf<D>): number {
    return mapOf(this.#maps, kind).size;
  }

  watch(watch: ModelWatch<D>): void {
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

  /** Loads everything from the journal, at the start. */
  async load(journal: Pick<Journal, 'load'>): Promise<void> {
    this.#revision = await journal.load((documents) => this.fill(documents));
  }

  fill(documents: readonly Document[]): void {
    for (const document of documents) {
      const put = this.#parse(document);
      if (put !== undefined) this.#put(put, document.revision);
    }
  }

  /** What this process committed. */
  apply(revision: Revision, puts: readonly Put<D>[]): void {
    this.applyAll([{ revision, puts }]);
  }

  /** All transactions of one commit, which became durable together. */
  applyAll(commits: readonly { readonly revision: Revision; readonly puts: readonly Put<D>[] }[]): void {
    if (commits.length === 0) return;
    const changes: Changed<D>[] = [];
    for (const { revision, puts } of commits) {
      for (const put of puts) changes.push(this.#put(put, revision));
      this.#revision = revision;
    }
    this.#notify(changes);
  }

  /** What other processes committed. Parsed as a whole first, so that a broken document changes nothing. */
  catchUp(news: News): void {
    const puts: { readonly put: Put<D>; readonly revision: Revision }[] = [];
    for (const document of news.documents) {
      const put = this.#parse(document);
      if (put !== undefined) puts.push({ put, revision: document.revision });
    }
    const before = this.#maps;
    if (news.whole) this.#maps = this.#empty();
    const changes = puts.map(({ put, revision }) => this.#put(put, revision));
    this.#revision = news.revision;
    if (news.whole) this.#each((watch) => watch.reset?.(viewOf(before)));
    else this.#notify(changes);
  }

  #put<K extends KindOf<D>>({ kind, id, body }: Put<D, K>, revision: Revision): Changed<D, K> {
    const map = mapOf(this.#maps, kind);
    const before = map.get(id);
    const after = body === null ? undefined : { id, revision, body };
    if (after === undefined) map.delete(id);
    else map.set(id, after);
    return { kind, id, before, after, revision };
  }

  /** Change by change: some watchers read what others derived from the same change. */
  #notify(changes: readonly Changed<D>[]): void {
    for (const change of changes) this.#each((watch) => watch.changed(change));
    this.#each((watch) => watch.settled?.());
  }

  /** The others are notified all the same: only the state of the one that threw is lost. */
  #each(notify: (watch: ModelWatch<D>) => void): void {
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

  /**
   * Undefined: a kind that this version does not know. It comes from a newer process on the same store during an
   * upgrade, is not ours to touch, and is never written back or deleted.
   */
  #parse({ kind, id, body }: Change): Put<D> | undefined {
    if (!this.#maps.has(kind)) {
      this.#unknownKind(kind);
      return undefined;
    }
    return { kind: kind as KindOf<D>, id, body: body === null ? null : JSON.parse(body) };
  }

  #empty(): Maps<D> {
    return new Map(this.#kinds.map((kind) => [kind, new OrderedMap()]));
  }
}

function mapOf<D, K extends KindOf<D>>(maps: Maps<D>, kind: K): OrderedMap<Stored<D, K>> {
  return maps.get(kind) as OrderedMap<Stored<D>> as OrderedMap<Stored<D, K>>; // there is one for every kind, and only its own are put there
}

function viewOf<D>(maps: Maps<D>): View<D> {
  return { get: (kind, id) => mapOf(maps, kind).get(id), all: (kind) => mapOf(maps, kind).values() };
}

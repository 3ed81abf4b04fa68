import { MeshError } from '@meshwork/contract';
import type { Revision } from '@meshwork/store';
import type { KindOf, Put, Stored, View } from './model.ts';
import { Overlay } from './overlay.ts';

/** A change together with what it replaces. */
export interface TrackedPut<D> extends Put<D> {
  readonly before: Stored<D> | undefined;
}

/** Where a transaction runs. */
export interface Place<D> {
  /** The model, with the changes of the transactions before it. */
  readonly view: View<D>;
  /** The revision that it will be, if it writes anything. */
  readonly revision: Revision;
  readonly now_ms: number;
}

/**
 * One run of a change: sees the documents with its own changes in them, and keeps those until the writer takes them. It may
 * be run again when another process was faster, so it has no effects but through its methods.
 */
export class Transaction<D> implements View<D> {
  readonly #beneath: View<D>;
  readonly #overlay: Overlay<D>;
  readonly #changes = new Map<string, TrackedPut<D>>();
  readonly revision: Revision;
  /** The moment of the change; everything a transaction writes carries this one. */
  readonly now_ms: number;

  constructor({ view, revision, now_ms }: Place<D>) {
    this.#beneath = view;
    this.#overlay = new Overlay(view);
    this.revision = revision;
    this.now_ms = now_ms;
  }

  get<K extends KindOf<D>>(kind: K, id: string): Stored<D, K> | undefined {
    return this.#overlay.get(kind, id);
  }

  all<K extends KindOf<D>>(kind: K): Iterable<Stored<D, K>> {
    return this.#overlay.all(kind);
  }

  put<K extends KindOf<D>>(kind: K, id: string, body: D[K]): Stored<D, K> {
    this.#change({ kind, id, body });
    return { id, revision: this.revision, body };
  }

  /** Like `put`, for what must not be there yet. */
  create<K extends KindOf<D>>(kind: K, id: string, body: D[K]): Stored<D, K> {
    if (this.get(kind, id) !== undefined) throw new MeshError('already_exists', `There already is a ${kind} "${id}".`);
    return this.put(kind, id, body);
  }

  delete(kind: KindOf<D>, id: string): void {
    this.#change({ kind, id, body: null });
  }

  /** For the writer, once the run is over. Deleting what is not there is no change. */
  changes(): readonly TrackedPut<D>[] {
    return [...this.#changes.values()].filter(({ body, before }) => body !== null || before !== undefined);
  }

  #change(put: Put<D>): void {
    this.#overlay.lay(put, this.revision);
    this.#changes.set(`${put.kind}/${put.id}`, { ...put, before: this.#beneath.get(put.kind, put.id) });
  }
}

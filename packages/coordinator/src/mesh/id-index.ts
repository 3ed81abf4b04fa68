import type { Kind } from '../kinds/kinds.ts';
import type { Changed, Model, ModelWatch } from './model.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * Ids by a key that follows from their documents, kept up while the model changes, so that "the nodes of this relay"
 * costs what it finds and not a walk over all nodes. Several kinds may share an id, as a node and its assignment do.
 */
export class IdIndex implements ModelWatch {
  readonly #model: Model;
  readonly #kinds: readonly Kind[];
  readonly #keysOf: (id: string) => readonly string[];
  readonly #groups = new Map<string, Set<string>>();
  /** Under which keys an id stands, so that it can be taken from there whatever its documents say by now. */
  readonly #keys = new Map<string, readonly string[]>();

  constructor(model: Model, kinds: readonly Kind[], keysOf: (id: string) => readonly string[]) {
    this.#model = model;
    this.#kinds = kinds;
    this.#keysOf = keysOf;
    this.reset();
    model.watch(this);
  }

  of(key: string): ReadonlySet<string> {
    return this.#groups.get(key) ?? NONE;
  }

  keys(): Iterable<string> {
    return this.#groups.keys();
  }

  changed<K extends Kind>({ kind, id }: Changed<K>): void {
    if (this.#kinds.includes(kind)) this.#place(id);
  }

  reset(): void {
    this.#groups.clear();
    this.#keys.clear();
    for (const kind of this.#kinds) for (const { id } of this.#model.all(kind)) this.#place(id);
  }

  #place(id: string): void {
    const before = this.#keys.get(id) ?? [];
    const after = this.#keysOf(id);
    for (const key of before) if (!after.includes(key)) this.#take(key, id);
    for (const key of after) this.#put(key, id);
    if (after.length === 0) this.#keys.delete(id);
    else this.#keys.set(id, after);
  }

  #put(key: string, id: string): void {
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, new Set([id]));
    else group.add(id);
  }

  #take(key: string, id: string): void {
    const group = this.#groups.get(key);
    group?.delete(id);
    if (group?.size === 0) this.#groups.delete(key);
  }
}

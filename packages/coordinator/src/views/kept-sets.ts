/** A set for each key; a key without a set has none in memory. */
export class KeptSets<K, V> {
  readonly #sets = new Map<K, Set<V>>();

  of(key: K): ReadonlySet<V> {
    return this.#sets.get(key) ?? (EMPTY as ReadonlySet<V>);
  }

  add(key: K, value: V): void {
    const set = this.#sets.get(key);
    if (set === undefined) this.#sets.set(key, new Set([value]));
    else set.add(value);
  }

  delete(key: K, value: V): void {
    const set = this.#sets.get(key);
    if (set?.delete(value) === true && set.size === 0) this.#sets.delete(key);
  }

  clear(): void {
    this.#sets.clear();
  }
}

const EMPTY: ReadonlySet<unknown> = new Set();

/** Values by id, which can also be walked in order of id. Ids mostly arrive in order, so keeping them sorted is cheap. */
export class OrderedMap<V> {
  readonly #values = new Map<string, V>();
  readonly #ids: string[] = [];
  /** False while `#ids` may be out of order; the next walk or delete sorts it, which is cheap when it nearly is. */
  #sorted = true;

  get size(): number {
    return this.#values.size;
  }

  get(id: string): V | undefined {
    return this.#values.get(id);
  }

  /** In no particular order. */
  values(): Iterable<V> {
    return this.#values.values();
  }

  set(id: string, value: V): void {
    if (!this.#values.has(id)) {
      const last = this.#ids.at(-1);
      if (last !== undefined && id < last) this.#sorted = false;
      this.#ids.push(id);
    }
    this.#values.set(id, value);
  }

  delete(id: string): void {
    if (!this.#values.delete(id)) return;
    this.#ids.splice(this.#firstNotBefore(id), 1);
  }

  clear(): void {
    this.#values.clear();
    this.#ids.length = 0;
    this.#sorted = true;
  }

  /** In order of id, beginning just after a given one, whether or not that one is still there. */
  *after(id: string | undefined): Generator<V> {
    this.#sort();
    let index = id === undefined ? 0 : this.#firstNotBefore(id);
    if (this.#ids[index] === id) index++;
    for (; index < this.#ids.length; index++) {
      const value = this.#values.get(this.#ids[index] as string);
      if (value !== undefined) yield value;
    }
  }

  #firstNotBefore(id: string): number {
    this.#sort();
    let low = 0;
    let high = this.#ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ids[middle] as string) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sort(): void {
    if (this.#sorted) return;
    this.#ids.sort(byCodeUnit);
    this.#sorted = true;
  }
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

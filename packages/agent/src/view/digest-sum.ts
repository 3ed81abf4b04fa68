import { EMPTY_DIGEST, withItem, withoutItem } from '@meshwork/contract/digest';

/** The digest of a set, kept by the digest of each member: none is hashed again when another one changes or goes. */
export class DigestSum {
  /** Absent while the set is empty: most nodes of a large simulated fleet have no member of some kind. */
  #byId: Map<string, number> | undefined;
  #sum = EMPTY_DIGEST;

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

  clear(): void {
    this.#byId = undefined;
    this.#sum = EMPTY_DIGEST;
  }

  /** New, or in place of the digest with the same id. */
  protected set(id: string, digest: number): void {
    this.#byId ??= new Map();
    const before = this.#byId.get(id) ?? EMPTY_DIGEST;
    this.#byId.set(id, digest);
    this.#sum = withItem(withoutItem(this.#sum, before), digest);
  }

  protected delete(id: string): void {
    const digest = this.#byId?.get(id);
    if (digest === undefined) return;
    this.#byId?.delete(id);
    this.#sum = withoutItem(this.#sum, digest);
  }
}

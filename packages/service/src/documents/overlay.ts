import type { Revision } from '@meshwork/store';
import type { KindOf, Put, Stored, View } from './model.ts';

/** A view with uncommitted changes over it. Readers of the view beneath never see them. */
export class Overlay<D> implements View<D> {
  readonly #beneath: View<D>;
  readonly #laid = new Map<string, { readonly put: Put<D>; readonly revision: Revision }>();

  constructor(beneath: View<D>) {
    this.#beneath = beneath;
  }

  lay(put: Put<D>, revision: Revision): void {
    this.#laid.set(`${put.kind}/${put.id}`, { put, revision });
  }

  get<K extends KindOf<D>>(kind: K, id: string): Stored<D, K> | undefined {
    const laid = this.#laid.get(`${kind}/${id}`);
    return laid === undefined ? this.#beneath.get(kind, id) : storedAs(kind, laid.put, laid.revision);
  }

  *all<K extends KindOf<D>>(kind: K): Generator<Stored<D, K>> {
    for (const stored of this.#beneath.all(kind)) {
      if (!this.#laid.has(`${kind}/${stored.id}`)) yield stored;
    }
    for (const { put, revision } of this.#laid.values()) {
      const stored = storedAs(kind, put, revision);
      if (stored !== undefined) yield stored;
    }
  }
}

function storedAs<D, K extends KindOf<D>>(kind: K, put: Put<D>, revision: Revision): Stored<D, K> | undefined {
  if (put.kind !== kind || put.body === null) return undefined;
  return { id: put.id, revision, body: put.body as D[K] };
}

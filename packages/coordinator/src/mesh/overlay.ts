import type { Revision } from '@meshwork/store';
import type { BodyOf, Kind } from '../kinds/kinds.ts';
import type { Put, Stored, View } from './model.ts';

/** A view with changes laid over it that are not committed yet. Whoever reads the view beneath never sees them. */
export class Overlay implements View {
  readonly #beneath: View;
  readonly #laid = new Map<string, { readonly put: Put; readonly revision: Revision }>();

  constructor(beneath: View) {
    this.#beneath = beneath;
  }

  lay(put: Put, revision: Revision): void {
    this.#laid.set(`${put.kind}/${put.id}`, { put, revision });
  }

  get<K extends Kind>(kind: K, id: string): Stored<K> | undefined {
    const laid = this.#laid.get(`${kind}/${id}`);
    return laid === undefined ? this.#beneath.get(kind, id) : storedAs(kind, laid.put, laid.revision);
  }

  *all<K extends Kind>(kind: K): Generator<Stored<K>> {
    for (const stored of this.#beneath.all(kind)) {
      if (!this.#laid.has(`${kind}/${stored.id}`)) yield stored;
    }
    for (const { put, revision } of this.#laid.values()) {
      const stored = storedAs(kind, put, revision);
      if (stored !== undefined) yield stored;
    }
  }
}

function storedAs<K extends Kind>(kind: K, put: Put, revision: Revision): Stored<K> | undefined {
  if (put.kind !== kind || put.body === null) return undefined;
  return { id: put.id, revision, body: put.body as BodyOf<K> };
}

import { covers, type Scope, WHOLE_MESH } from '@meshwork/contract';
import type { View } from './model.ts';
import { boundaryOfNode } from './node-state.ts';

/**
 * Which relays a caller may know of. Relays are shared by the whole mesh, but which node runs one is for those to know who
 * may see the node. One that there is not any more is for those who may see all.
 */
export class VisibleRelays {
  readonly #view: View;
  readonly #scope: Scope;

  constructor(view: View, scope: Scope) {
    this.#view = view;
    this.#scope = scope;
  }

  has(name: string): boolean {
    const relay = this.#view.get('relay', name);
    if (relay === undefined) return covers(this.#scope, WHOLE_MESH);
    const { node } = relay.body;
    if (node === null) return true;
    const runs = this.#view.get('node', node);
    return runs !== undefined && covers(this.#scope, boundaryOfNode(runs.body));
  }

  /** Null: there is none, or the caller may not know of it. */
  shown(name: string | null | undefined): string | null {
    return name != null && this.has(name) ? name : null;
  }

  /** What an agent says may name relays: those that the caller may not know of become "a relay". */
  without(text: string): string {
    let shown = text;
    for (const { id } of this.#view.all('relay')) {
      if (!shown.includes(id) || this.has(id)) continue;
      shown = shown.replaceAll(new RegExp(`(?<![a-z0-9-])${id}(?![a-z0-9-])`, 'g'), 'a relay');
    }
    return shown;
  }
}

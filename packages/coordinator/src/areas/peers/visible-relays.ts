import type { Scope } from '@meshwork/contract';
import type { View } from '../../mesh/model.ts';
import { isVisibleRelay } from '../../mesh/visible-relay.ts';

/** Which relays a caller may know of. */
export class VisibleRelays {
  readonly #view: View;
  readonly #scope: Scope;

  constructor(view: View, scope: Scope) {
    this.#view = view;
    this.#scope = scope;
  }

  has(name: string): boolean {
    return isVisibleRelay(this.#view, this.#scope, name);
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

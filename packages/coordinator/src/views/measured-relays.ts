import { MAX_MEASURED_RELAYS, type RelaySection } from '@meshwork/contract';
import { digestOfText } from '@meshwork/contract/digest';
import type { View } from '../mesh/model.ts';
import { settingsOf } from '../mesh/settings-of.ts';

/**
 * Which relays a node measures: all of them, or, where there are more than one answer takes, as many, chosen so that each
 * relay is measured by about equally many nodes and the choice changes little when a relay comes or goes.
 */
export class MeasuredRelays {
  readonly #view: View;
  #all: readonly RelaySection[] | undefined;

  constructor(view: View) {
    this.#view = view;
  }

  clear(): void {
    this.#all = undefined;
  }

  #read(): readonly RelaySection[] {
    const { allow_special_addresses } = settingsOf(this.#view).relays;
    const allowed = allow_special_addresses ? ({ any_address: true } as const) : {};
    return [...this.#view.all('relay')].map(({ id, body: { host, port } }) => ({ name: id, host, port, ...allowed }));
  }

  for(node: string): readonly RelaySection[] {
    this.#all ??= this.#read();
    if (this.#all.length <= MAX_MEASURED_RELAYS) return this.#all;
    return this.#all
      .map((relay) => ({ relay, rank: digestOfText(`${node} ${relay.name}`) }))
      .sort((a, b) => a.rank - b.rank)
      .slice(0, MAX_MEASURED_RELAYS)
      .map(({ relay }) => relay);
  }
}

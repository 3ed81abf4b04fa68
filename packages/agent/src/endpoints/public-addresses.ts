import { familyOf } from '@meshwork/addresses';
import type { LocalAddress } from './local-addresses.ts';
import type { FamilyView } from './relay-view.ts';

interface Known {
  readonly address: string;
  /** Our own addresses of that family when the relay was asked, in one text. */
  readonly own: string;
}

/**
 * How the relay saw us last, by each family. A relay that does not answer takes nothing back: what it said stays true for as
 * long as our own addresses are those we asked from. With others the node may be in another network, behind another NAT.
 */
export class PublicAddresses {
  readonly #known = new Map<4 | 6, Known>();

  /** `local` are our own addresses at the time of asking. */
  learn(seen: readonly FamilyView[], local: readonly LocalAddress[]): void {
    for (const family of [4, 6] as const) {
      const own = local.flatMap(({ address }) => (familyOf(address) === family ? [address] : [])).join();
      const view = seen.find((one) => one.family === family);
      if (view !== undefined) this.#known.set(family, { address: view.mapping.address, own });
      else if (this.#known.get(family)?.own !== own) this.#known.delete(family);
    }
  }

  /** IPv4 first. */
  list(): readonly string[] {
    return ([4, 6] as const).flatMap((family) => this.#known.get(family)?.address ?? []);
  }
}

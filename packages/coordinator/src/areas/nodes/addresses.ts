import { formatAddress, formatNetwork, sizeOf } from '@meshwork/addresses';
import { MeshError } from '@meshwork/contract';
import type { View } from '../../mesh/model.ts';
import { ownNetworks } from '../../mesh/own-networks.ts';

interface Addresses {
  readonly address: string;
  readonly address6: string;
}

/** Gives out addresses. It remembers where it was, so that one that was freed is not given out again at once. */
export class AddressPool {
  #next = 1n;

  /**
   * A free pair. The IPv6 address follows from the IPv4 one, so that one is free when the other is. The first and the
   * last address of the pool are left out: some hosts take them for a network and a broadcast.
   */
  free(view: View): Addresses {
    const { pool, prefix6 } = ownNetworks(view);
    const usable = sizeOf(pool) - 2n;
    for (let tried = 0n; tried < usable; tried++) {
      const offset = ((this.#next - 1n + tried) % usable) + 1n;
      const value = pool.base + offset;
      const address = formatAddress({ family: 4, value });
      if (view.get('claim', `address/${address}`) !== undefined) continue;
      this.#next = offset + 1n;
      return { address, address6: formatAddress({ family: 6, value: prefix6.base + value }) };
    }
    throw new MeshError('addresses_exhausted', `All ${usable} addresses of ${formatNetwork(pool)} are taken.`);
  }
}

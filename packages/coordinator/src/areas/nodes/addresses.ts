import { createHash } from 'node:crypto';
import { MeshError } from '@meshwork/contract';
import type { View } from '../../mesh/model.ts';
import { formatAddress, type Network, parseNetwork, sizeOf } from '../../mesh/networks.ts';
import { settingsOf } from '../../mesh/settings-of.ts';

export interface Addresses {
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
    const { address_pool, address6_prefix } = settingsOf(view).nodes;
    const pool = networkOf(address_pool);
    const usable = sizeOf(pool) - 2n;
    for (let tried = 0n; tried < usable; tried++) {
      const offset = ((this.#next - 1n + tried) % usable) + 1n;
      const value = pool.base + offset;
      const address = formatAddress(4, value);
      if (view.get('claim', `address/${address}`) !== undefined) continue;
      this.#next = offset + 1n;
      const prefix = address6_prefix === null ? ownPrefix(view) : networkOf(address6_prefix);
      return { address, address6: formatAddress(6, prefix.base + value) };
    }
    throw new MeshError('addresses_exhausted', `All ${usable} addresses of ${address_pool} are taken.`);
  }
}

function networkOf(text: string): Network {
  const network = parseNetwork(text);
  if (network === undefined) throw new Error(`the settings hold ${text}, which is no network`);
  return network;
}

const OWN_PREFIX = 64;

/** A /64 of this mesh alone (RFC 4193): its 40 random bits follow from what the first start wrote down. */
function ownPrefix(view: View): Network {
  const installation = view.get('installation', 'mesh')?.body;
  const seed = createHash('sha256')
    .update(`ula\n${installation?.master_key_check ?? ''}`)
    .digest();
  const global = BigInt(`0x${seed.subarray(0, 5).toString('hex')}`);
  return { family: 6, base: (0xfdn << 120n) | (global << 80n), prefix: OWN_PREFIX };
}

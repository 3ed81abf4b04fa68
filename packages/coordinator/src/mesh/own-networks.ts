import { createHash } from 'node:crypto';
import { type Network, parseNetwork } from '@meshwork/addresses';
import type { View } from './model.ts';
import { settingsOf } from './settings-of.ts';

/** Where the addresses of new nodes come from. */
interface OwnNetworks {
  readonly pool: Network;
  /** A /64. */
  readonly prefix6: Network;
}

export function ownNetworks(view: View): OwnNetworks {
  const { address_pool, address6_prefix } = settingsOf(view).nodes;
  return {
    pool: networkOf(address_pool),
    prefix6: address6_prefix === null ? ownPrefix(view) : networkOf(address6_prefix),
  };
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

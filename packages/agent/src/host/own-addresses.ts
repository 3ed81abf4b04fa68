import { networkInterfaces } from 'node:os';
import { plainAddress } from '@meshwork/addresses';

/** Of this host, all of them, in their plain form. */
export function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.map(({ address }) => plainAddress(address) ?? address);
}

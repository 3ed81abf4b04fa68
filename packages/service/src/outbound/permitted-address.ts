/**
 * Where a service may connect to by an address that an operator or a stranger wrote down. What only this host or its network can reach
 * is refused: a caller would otherwise read through us what it cannot reach itself.
 */
import { holds, isTranslated, kindOfAddress, type Network, parseAddress } from '@meshwork/addresses';

/** Why an address is refused. Null: it is not. `allowed`: networks that the operator of this process opened. */
export function whyRefused(text: string, allowed: readonly Network[]): string | null {
  const address = parseAddress(text);
  if (address === undefined) return `${text} is no address`;
  if (allowed.some((network) => network.family === address.family && holds(network, address))) return null;
  if (isTranslated(address)) return `${text} is translated to another address on the way`;
  const kind = kindOfAddress(text);
  if (kind === 'global') return null;
  return kind === 'private' ? `${text} is a private address` : `${text} is an address of this host or its link`;
}

/**
 * Where a check from outside may connect to. A host name leads wherever its owner says, so what a host alone can reach is never
 * tried: its own services, its local network, a cloud's metadata. A private address is tried only where a gateway itself reports it.
 */
import { isTranslated, kindOfAddress, parseAddress, plainAddress } from '@meshwork/addresses';

interface Known {
  /** Of gateways, as they report them. */
  readonly reported: ReadonlySet<string>;
  /** Of this node in the mesh. */
  readonly own: readonly string[];
}

/** `address`: in plain spelling. */
export function isPermitted(address: string, { reported, own }: Known): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined || plainAddress(address) !== address || own.includes(address)) return false;
  if (isTranslated(parsed)) return false;
  const kind = kindOfAddress(address);
  return kind === 'global' || (kind === 'private' && reported.has(address));
}

/**
 * Where a check from outside may connect to. A host name leads wherever its owner says, so what a host alone can reach is never
 * tried: its own services, its local network, a cloud's metadata. A private address is tried only where a gateway itself reports it.
 */
import { holds, kindOfAddress, parseAddress, plainAddress, readNetwork } from '@meshwork/addresses';

/** Translated on the way, to an IPv4 address that may be any. */
const TRANSLATED = ['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'].map(readNetwork);

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
  if (TRANSLATED.some((network) => holds(network, parsed))) return false;
  const kind = kindOfAddress(address);
  return kind === 'global' || (kind === 'private' && reported.has(address));
}

import { anyContains, endpointOf, familyOf, kindOfAddress, type Network, plainAddress } from '@meshwork/addresses';
import type { LocalAddress } from './local-addresses.ts';

/** How a NAT showed a port of ours to the outside. */
export interface Mapping {
  readonly address: string;
  readonly port: number;
}

export interface Found {
  /** Where WireGuard listens. */
  readonly port: number;
  readonly mesh: readonly Network[];
  readonly local: readonly LocalAddress[];
  /** Of WireGuard's own port: from before WireGuard had it, and later as links know it. */
  readonly port_mappings: readonly Mapping[];
  /** Ours as the relay sees them, the likelier one first. */
  readonly public_addresses: readonly string[];
  /** Ours as the coordinator sees it. Null: it has not said. */
  readonly seen_as: string | null;
  /** What the router says that it passes on to WireGuard. Null: nothing. */
  readonly forwarded: Mapping | null;
}

/** The contract's. */
export const MAX_ENDPOINTS = 16;

/** Endpoints to tell peers, best first. See `endpoint-finder.ts` for why in this order. */
export function candidates(found: Found): readonly string[] {
  const own = (wanted: (one: LocalAddress) => boolean) =>
    byFamily(found.local.filter(wanted).map(({ address }) => address)).map((one) => endpointOf(one, found.port));
  const ordered = [
    ...own(({ kind, inner }) => !inner && kind === 'global'),
    ...forwardedByRouter(found),
    ...outsideOfNat(found),
    ...own(({ kind, inner }) => !inner && kind === 'private'),
    ...own(({ inner }) => inner),
  ];
  return [...new Set(ordered)].slice(0, MAX_ENDPOINTS);
}

/**
 * Peers send to whatever is reported, so the word of a router alone is not enough where others say something too: it has to be at an
 * address that they see this node by. Otherwise the router lies, or another NAT stands before it.
 */
function forwardedByRouter(found: Found): readonly string[] {
  const { forwarded, mesh } = found;
  if (forwarded === null || kindOfAddress(forwarded.address) !== 'global') return [];
  if (anyContains(mesh, forwarded.address)) return [];
  const seen = seenOutside(found).filter((address) => familyOf(address) === 4 && kindOfAddress(address) === 'global');
  const isBelieved = seen.length === 0 || seen.includes(forwarded.address);
  return isBelieved ? [endpointOf(forwarded.address, forwarded.port)] : [];
}

function outsideOfNat(found: Found): readonly string[] {
  const { port, port_mappings } = found;
  return seenOutside(found).map((address) => endpointOf(address, portAt(address, port, port_mappings)));
}

/** Addresses of a NAT that others see this node by. */
function seenOutside({ mesh, local, public_addresses, seen_as }: Found): readonly string[] {
  const own = new Set(local.map(({ address }) => address));
  const seen = [...public_addresses, ...(seen_as === null ? [] : [seen_as])].map(plainAddress);
  return seen
    .filter((address) => address !== null)
    .filter((address) => !own.has(address) && kindOfAddress(address) !== 'unusable')
    .filter((address) => !anyContains(mesh, address));
}

/**
 * At an address of a NAT that was not asked from WireGuard's own port, its choice of a port is not known. The listen port is right for
 * those that keep ports, which is most of them, and the best guess for the others.
 */
function portAt(address: string, listenPort: number, portMappings: readonly Mapping[]): number {
  return portMappings.find((mapping) => mapping.address === address)?.port ?? listenPort;
}

/** IPv4 first: there are more peers without IPv6 than without IPv4. */
function byFamily(addresses: readonly string[]): readonly string[] {
  return [4, 6].flatMap((family) => addresses.filter((address) => familyOf(address) === family));
}

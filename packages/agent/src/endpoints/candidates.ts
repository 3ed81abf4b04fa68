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
  /** Of WireGuard's own port, from before WireGuard had it. */
  readonly mapped_at_start: readonly Mapping[];
  /** Ours as the relay sees them, the likelier one first. */
  readonly public_addresses: readonly string[];
  /** Ours as the coordinator sees it. Null: it has not said. */
  readonly seen_as: string | null;
}

/** The contract's. */
export const MAX_ENDPOINTS = 16;

/** Endpoints to tell peers, best first. See `endpoint-finder.ts` for why in this order. */
export function candidates(found: Found): readonly string[] {
  const own = (wanted: (one: LocalAddress) => boolean) =>
    byFamily(found.local.filter(wanted).map(({ address }) => address)).map((one) => endpointOf(one, found.port));
  const ordered = [
    ...own(({ kind, inner }) => !inner && kind === 'global'),
    ...outsideOfNat(found),
    ...own(({ kind, inner }) => !inner && kind === 'private'),
    ...own(({ inner }) => inner),
  ];
  return [...new Set(ordered)].slice(0, MAX_ENDPOINTS);
}

function outsideOfNat({ port, mesh, local, mapped_at_start, public_addresses, seen_as }: Found): readonly string[] {
  const own = new Set(local.map(({ address }) => address));
  const seen = [...public_addresses, ...(seen_as === null ? [] : [seen_as])].map(plainAddress);
  return seen
    .filter((address) => address !== null)
    .filter((address) => !own.has(address) && kindOfAddress(address) !== 'unusable')
    .filter((address) => !anyContains(mesh, address))
    .map((address) => endpointOf(address, portAt(address, port, mapped_at_start)));
}

/**
 * At an address that the NAT did not have at the start, its choice of a port is not known. The listen port is right for
 * those that keep ports, which is most of them, and the best guess for the others.
 */
function portAt(address: string, listenPort: number, mappedAtStart: readonly Mapping[]): number {
  return mappedAtStart.find((mapping) => mapping.address === address)?.port ?? listenPort;
}

/** IPv4 first: there are more peers without IPv6 than without IPv4. */
function byFamily(addresses: readonly string[]): readonly string[] {
  return [4, 6].flatMap((family) => addresses.filter((address) => familyOf(address) === family));
}

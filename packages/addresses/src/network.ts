import { type Address, type Family, formatAddress, parseAddress } from './address.ts';

/** An IPv4 or IPv6 network. With all bits in its prefix it is a single address. */
export interface Network {
  readonly family: Family;
  /** The first address, as a number. */
  readonly base: bigint;
  readonly prefix: number;
}

const BITS = { 4: 32, 6: 128 } as const;

/** Undefined unless the text is a network in its one canonical spelling, with no bit set behind the prefix. */
export function parseNetwork(text: string): Network | undefined {
  const network = exactNetwork(text);
  return network !== undefined && formatNetwork(network) === text ? network : undefined;
}

/** Any spelling of a network. Undefined: it is none, or has a bit set behind its prefix. */
export function exactNetwork(text: string): Network | undefined {
  const written = addressWithPrefix(text);
  if (written === undefined) return undefined;
  const network = networkOf(written);
  return network.base === written.value ? network : undefined;
}

/**
 * The network that `10.20.0.1/16` or `FD00:0::/8` most likely means, to suggest it in a message. Undefined: the text is no
 * address with a prefix. `parseNetwork` says whether the text is correct as it stands.
 */
export function enclosingNetwork(text: string): Network | undefined {
  const written = addressWithPrefix(text);
  return written && networkOf(written);
}

interface WithPrefix extends Address {
  readonly prefix: number;
}

function addressWithPrefix(text: string): WithPrefix | undefined {
  const [, addressText = '', digits = ''] = /^([0-9a-fA-F:.]{2,45})\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseAddress(addressText);
  const prefix = Number(digits);
  return address === undefined || prefix > BITS[address.family] ? undefined : { ...address, prefix };
}

function networkOf({ family, value, prefix }: WithPrefix): Network {
  const behind = BigInt(BITS[family] - prefix);
  return { family, base: (value >> behind) << behind, prefix };
}

/**
 * For what other programs print: any spelling, bits behind the prefix are dropped, and an address without a prefix is a
 * single address. Throws on anything else.
 */
export function readNetwork(text: string): Network {
  const address = text.includes('/') ? undefined : parseAddress(text);
  if (address !== undefined) return { family: address.family, base: address.value, prefix: BITS[address.family] };
  const network = enclosingNetwork(text);
  if (network === undefined) throw new Error(`${JSON.stringify(text)} is not an address or a network.`);
  return network;
}

export function formatNetwork({ family, base, prefix }: Network): string {
  return `${formatAddress({ family, value: base })}/${prefix}`;
}

/** What two networks have in common: the narrower of them if one contains the other, else nothing. */
export function intersect(a: Network, b: Network): Network | undefined {
  const [wide, narrow] = a.prefix <= b.prefix ? [a, b] : [b, a];
  return encloses(wide, narrow) ? narrow : undefined;
}

export function overlaps(a: Network, b: Network): boolean {
  return intersect(a, b) !== undefined;
}

/** Also when they are equal. */
export function encloses(outer: Network, inner: Network): boolean {
  return outer.family === inner.family && outer.prefix <= inner.prefix && contains(outer, inner.base);
}

export function holds(network: Network, { family, value }: Address): boolean {
  return family === network.family && contains(network, value);
}

/** False for a text that is no address. */
export function containsAddress(network: Network, addressText: string): boolean {
  const address = parseAddress(addressText);
  return address !== undefined && holds(network, address);
}

/** False for a text that is no address. */
export function anyContains(networks: readonly Network[], addressText: string): boolean {
  const address = parseAddress(addressText);
  return address !== undefined && networks.some((network) => holds(network, address));
}

function contains({ family, base, prefix }: Network, value: bigint): boolean {
  const behind = BigInt(BITS[family] - prefix);
  return base >> behind === value >> behind;
}

export const DEFAULT_ROUTE = { 4: '0.0.0.0/0', 6: '::/0' } as const satisfies Record<Family, string>;

/** They mean everything that no other route leads to. */
export function isDefaultRoute({ prefix }: Network): boolean {
  return prefix === 0;
}

export function isSingleAddress({ family, prefix }: Network): boolean {
  return prefix === BITS[family];
}

/** How many addresses it has. */
export function sizeOf({ family, prefix }: Network): bigint {
  return 1n << BigInt(BITS[family] - prefix);
}

/** The address with this number in the network; the first one has the number 0. Throws past its end. */
export function nthAddress(network: Network, number: number): string {
  if (BigInt(number) >= sizeOf(network)) throw new RangeError(`${formatNetwork(network)} has no address ${number}.`);
  return formatAddress({ family: network.family, value: network.base + BigInt(number) });
}

/** Two addresses in it that hosts may have: the first one of a network often is none. One, where there are no more. */
export function hostsIn(network: Network): readonly string[] {
  if (isSingleAddress(network)) return [nthAddress(network, 0)];
  return (sizeOf(network) === 2n ? [0, 1] : [1, 2]).map((number) => nthAddress(network, number));
}

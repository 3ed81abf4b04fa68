/** An IPv4 or IPv6 network. */
export interface Network {
  readonly family: 4 | 6;
  /** The first address, as a number. */
  readonly base: bigint;
  readonly prefix: number;
}

export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

const BITS = { 4: 32, 6: 128 } as const;

/** Undefined unless the text is a network in its one canonical spelling, with no bit set behind the prefix. */
export function parseNetwork(text: string): Network | undefined {
  const network = enclosingNetwork(text);
  return network !== undefined && formatNetwork(network) === text ? network : undefined;
}

/**
 * The network that somebody meant who wrote `10.20.0.1/16` or `FD00:0::/8`. Undefined: it is not an address with a prefix.
 * To tell people what would be right; `parseNetwork` says what is.
 */
export function enclosingNetwork(text: string): Network | undefined {
  const [, addressText = '', digits = ''] = /^([0-9a-fA-F:.]{2,45})\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseAddress(addressText);
  const prefix = Number(digits);
  if (address === undefined || prefix > BITS[address.family]) return undefined;
  const behind = BigInt(BITS[address.family] - prefix);
  return { family: address.family, base: (address.value >> behind) << behind, prefix };
}

export function formatNetwork({ family, base, prefix }: Network): string {
  return `${formatAddress({ family, value: base })}/${prefix}`;
}

/** What two networks have in common: the narrower of them if one contains the other, else nothing. */
export function intersect(a: Network, b: Network): Network | undefined {
  if (a.family !== b.family) return undefined;
  const [wide, narrow] = a.prefix <= b.prefix ? [a, b] : [b, a];
  return contains(wide, narrow.base) ? narrow : undefined;
}

export function overlaps(a: Network, b: Network): boolean {
  return intersect(a, b) !== undefined;
}

/** How many addresses it has. */
export function sizeOf({ family, prefix }: Network): bigint {
  return 1n << BigInt(BITS[family] - prefix);
}

export function holds(network: Network, { family, value }: Address): boolean {
  return family === network.family && contains(network, value);
}

/** False for a text that is no address. */
export function containsAddress(network: Network, addressText: string): boolean {
  const address = parseAddress(addressText);
  return address !== undefined && holds(network, address);
}

function contains({ family, base, prefix }: Network, value: bigint): boolean {
  const behind = BigInt(BITS[family] - prefix);
  return base >> behind === value >> behind;
}

/** Any spelling of an address. Undefined: it is none; a zone (`fe80::1%eth0`) is not part of an address. */
export function parseAddress(text: string): Address | undefined {
  if (text.length > 45) return undefined;
  const four = parseFour(text);
  if (four !== undefined) return { family: 4, value: BigInt(four) };
  const groups = parseSix(text);
  if (groups === undefined) return undefined;
  return { family: 6, value: groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n) };
}

export function formatAddress({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - 16 * index)) & 0xffffn);
  return shortened(groups.map((group) => group.toString(16)));
}

/** RFC 5952: the longest run of two or more zero groups, the first of several, becomes `::`. */
function shortened(groups: readonly string[]): string {
  let best = { at: 0, length: 1 };
  for (let at = 0; at < groups.length; at++) {
    let length = 0;
    while (groups[at + length] === '0') length++;
    if (length > best.length) best = { at, length };
  }
  if (best.length < 2) return groups.join(':');
  return `${groups.slice(0, best.at).join(':')}::${groups.slice(best.at + best.length).join(':')}`;
}

/** A leading zero is refused: some read `010` as eight. */
function parseFour(text: string): number | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined;
  }
  return parts.reduce((value, part) => value * 256 + Number(part), 0);
}

function parseSix(text: string): readonly number[] | undefined {
  const [head = '', tail, more] = text.split('::');
  const [front, back] = [groupsOf(head, tail === undefined), groupsOf(tail ?? '', true)];
  if (front === undefined || back === undefined || more !== undefined) return undefined;
  const zeros = 8 - front.length - back.length;
  if (tail === undefined ? zeros !== 0 : zeros < 1) return undefined;
  return [...front, ...new Array<number>(zeros).fill(0), ...back];
}

/** The last two groups of an address may be written as IPv4: `::ffff:192.0.2.1`. */
function groupsOf(text: string, atEnd: boolean): readonly number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const four = atEnd ? parseFour(parts.at(-1) ?? '') : undefined;
  if (four !== undefined) parts.pop();
  if (!parts.every((part) => /^[0-9a-fA-F]{1,4}$/.test(part))) return undefined;
  const groups = parts.map((part) => Number.parseInt(part, 16));
  return four === undefined ? groups : [...groups, Math.floor(four / 65_536), four % 65_536];
}

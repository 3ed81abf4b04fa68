export type Family = 4 | 6;

export const FAMILIES = [4, 6] as const;

export interface Address {
  readonly family: Family;
  readonly value: bigint;
}

/** Longer than any spelling of an address. */
const TOO_LONG = 46;

/** Any spelling of an address. Undefined: it is none; a zone (`fe80::1%eth0`) is not part of an address. */
export function parseAddress(text: string): Address | undefined {
  if (text.length >= TOO_LONG) return undefined;
  const four = parseFour(text);
  if (four !== undefined) return { family: 4, value: BigInt(four) };
  const groups = parseSix(text);
  if (groups === undefined) return undefined;
  const [high, low] = [half(groups, 0), half(groups, 4)];
  return { family: 6, value: (high << 64n) | low };
}

/** The canonical spelling of RFC 5952, except that a mapped IPv4 address is written in groups like any other. */
export function formatAddress({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - 16 * index)) & 0xffffn);
  return shortened(groups.map((group) => group.toString(16)));
}

/**
 * The canonical spelling of an address in any spelling. A mapped IPv4 address (`::ffff:192.0.2.1`), as a socket for both
 * families reports it, is written as IPv4. Null: it is no address, or one with a zone.
 */
export function plainAddress(text: string): string | null {
  if (text.length >= TOO_LONG) return null;
  if (parseFour(text) !== undefined) return text;
  const groups = parseSix(text);
  if (groups === undefined) return null;
  const [, , , , , marker, high = 0, low = 0] = groups;
  const isMapped = marker === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return shortened(groups.map((group) => group.toString(16)));
}

/**
 * An IPv4 address inside an IPv6 one: mapped (`::ffff:192.0.2.1`) or compatible (`::192.0.2.1`). Programs write these in
 * more ways than one, so texts cannot be compared.
 */
export function embedsFour({ family, value }: Address): boolean {
  const high = value >> 32n;
  return family === 6 && (high === 0xffffn || (high === 0n && value > 0xffffn));
}

/** Of a text that is known to be an address. */
export function familyOf(address: string): Family {
  return address.includes(':') ? 6 : 4;
}

/** The eight groups of an IPv6 address. Undefined: it is none. */
export function groupsOf(text: string): readonly number[] | undefined {
  return text.length >= TOO_LONG ? undefined : parseSix(text);
}

/** Four groups as one number. Two additions of small numbers cost less than one of large ones. */
function half(groups: readonly number[], at: number): bigint {
  const [a = 0, b = 0, c = 0, d = 0] = groups.slice(at, at + 4);
  return (BigInt(a * 65_536 + b) << 32n) | BigInt(c * 65_536 + d);
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

const FOUR = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/;

/** A leading zero is refused: some programs read `010` as eight. */
function parseFour(text: string): number | undefined {
  const parts = FOUR.exec(text);
  if (parts === null) return undefined;
  const [a, b, c, d] = [Number(parts[1]), Number(parts[2]), Number(parts[3]), Number(parts[4])];
  if (a > 255 || b > 255 || c > 255 || d > 255) return undefined;
  return ((a * 256 + b) * 256 + c) * 256 + d;
}

function parseSix(text: string): readonly number[] | undefined {
  const [head = '', tail, more] = text.split('::');
  const [front, back] = [readGroups(head, tail === undefined), readGroups(tail ?? '', true)];
  if (front === undefined || back === undefined || more !== undefined) return undefined;
  const zeros = 8 - front.length - back.length;
  if (tail === undefined ? zeros !== 0 : zeros < 1) return undefined;
  return [...front, ...new Array<number>(zeros).fill(0), ...back];
}

/** The last two groups of an address may be written as IPv4: `::ffff:192.0.2.1`. */
function readGroups(text: string, atEnd: boolean): readonly number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const four = atEnd ? parseFour(parts.at(-1) ?? '') : undefined;
  if (four !== undefined) parts.pop();
  if (!parts.every((part) => /^[0-9a-fA-F]{1,4}$/.test(part))) return undefined;
  const groups = parts.map((part) => Number.parseInt(part, 16));
  return four === undefined ? groups : [...groups, Math.floor(four / 65_536), four % 65_536];
}

import { isIPv4, isIPv6 } from 'node:net';

/** An IPv4 or IPv6 network. */
export interface Network {
  readonly family: 4 | 6;
  /** The first address, as a number. */
  readonly base: bigint;
  readonly prefix: number;
}

const BITS = { 4: 32, 6: 128 } as const;

/** Undefined unless the text is a network in its one canonical spelling, with no bit set behind the prefix. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', digits = ''] = /^([0-9a-f:.]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const base = parseAddress(address);
  const prefix = Number(digits);
  if (base === undefined || prefix > BITS[base.family]) return undefined;
  const network: Network = { family: base.family, base: base.value, prefix };
  return network.base % sizeOf(network) === 0n && formatNetwork(network) === text ? network : undefined;
}

export function sizeOf({ family, prefix }: Network): bigint {
  return 1n << BigInt(BITS[family] - prefix);
}

export function overlaps(a: Network, b: Network): boolean {
  return a.family === b.family && a.base < b.base + sizeOf(b) && b.base < a.base + sizeOf(a);
}

export function formatNetwork({ family, base, prefix }: Network): string {
  return `${formatAddress(family, base)}/${prefix}`;
}

export function parseAddress(text: string): { readonly family: 4 | 6; readonly value: bigint } | undefined {
  if (isIPv4(text)) return { family: 4, value: fold(text.split('.').map(Number), 8n) };
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const [head = '', tail] = expandDotted(text).split('::');
  const front = groupsOf(head);
  const back = groupsOf(tail ?? '');
  const zeros = tail === undefined ? [] : new Array<number>(8 - front.length - back.length).fill(0);
  return { family: 6, value: fold([...front, ...zeros, ...back], 16n) };
}

export function formatAddress(family: 4 | 6, value: bigint): string {
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

/** `::ffff:192.0.2.1` as `::ffff:c000:201`. */
function expandDotted(text: string): string {
  return text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function fold(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | BigInt(part), 0n);
}

import { BlockList, isIP } from 'node:net';

export type Family = 4 | 6;

/** A network, or with all bits an address. */
export interface Subnet {
  readonly family: Family;
  /** In one spelling, so that texts can be compared. Bits behind the prefix may be set. */
  readonly address: string;
  readonly prefix: number;
}

export const FAMILIES = [4, 6] as const;
const BITS = { 4: 32, 6: 128 } as const;
const NAME = { 4: 'ipv4', 6: 'ipv6' } as const;

/** An address without prefix is one with all bits. Throws on what is neither. */
export function parseSubnet(text: string): Subnet {
  const [addressText = '', prefixText, more] = text.split('/');
  const family = isIP(addressText);
  if ((family !== 4 && family !== 6) || more !== undefined || addressText.includes('%')) throw unreadable(text);
  const prefix = prefixText === undefined ? BITS[family] : Number(prefixText);
  if (!/^\d{1,3}$/.test(prefixText ?? '0') || prefix > BITS[family]) throw unreadable(text);
  return { family, address: family === 4 ? addressText : canonical6(addressText), prefix };
}

function unreadable(text: string): Error {
  return new Error(`${JSON.stringify(text)} is no address and no network.`);
}

export function subnetText({ address, prefix }: Subnet): string {
  return `${address}/${prefix}`;
}

export function isDefault({ prefix }: Subnet): boolean {
  return prefix === 0;
}

export function isSingle({ family, prefix }: Subnet): boolean {
  return prefix === BITS[family];
}

/** Also when they are equal. */
export function contains(outer: Subnet, inner: Subnet): boolean {
  if (outer.family !== inner.family || outer.prefix > inner.prefix) return false;
  const network = new BlockList();
  network.addSubnet(outer.address, outer.prefix, NAME[outer.family]);
  return network.check(inner.address, NAME[inner.family]);
}

/** Without the bits behind the prefix. */
export function networkOf({ family, address, prefix }: Subnet): Subnet {
  const bits = FORM[family].bits;
  const parts = partsOf(family, address).map((part, index) => {
    const behind = Math.min(Math.max((index + 1) * bits - prefix, 0), bits);
    return (part >> behind) << behind;
  });
  return { family, address: joined(family, parts), prefix };
}

/** Two addresses in it that hosts may have: the first one of a network often is none. One, where there are no more. */
export function hostsIn({ family, address, prefix }: Subnet): readonly string[] {
  const behind = BITS[family] - prefix;
  const parts = partsOf(family, address);
  const [front, last] = [parts.slice(0, -1), parts.at(-1) ?? 0];
  if (behind === 0) return [address];
  return (behind === 1 ? [0, 1] : [1, 2]).map((bit) => joined(family, [...front, last | bit]));
}

const FORM = { 4: { bits: 8, radix: 10, separator: '.' }, 6: { bits: 16, radix: 16, separator: ':' } } as const;

function partsOf(family: Family, address: string): readonly number[] {
  const { radix, separator } = FORM[family];
  const [head = '', tail] = address.split('::');
  const read = (text: string) =>
    text.split(separator).flatMap((part) => (part === '' ? [] : [Number.parseInt(part, radix)]));
  if (tail === undefined) return read(head);
  const [front, back] = [read(head), read(tail)];
  return [...front, ...new Array<number>(8 - front.length - back.length).fill(0), ...back];
}

function joined(family: Family, parts: readonly number[]): string {
  const { radix, separator } = FORM[family];
  const text = parts.map((part) => part.toString(radix)).join(separator);
  return family === 4 ? text : canonical6(text);
}

/** The way of the URL standard, which never writes a part of it as IPv4. */
function canonical6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

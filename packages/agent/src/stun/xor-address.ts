import { familyOf, groupsOf, plainAddress } from '@meshwork/addresses';
import { HEADER_BYTES, MAGIC_COOKIE } from './message.ts';

/** An address and a port of UDP. */
export interface Place {
  readonly address: string;
  readonly port: number;
}

/** What stands for the family, and how many bytes its addresses have. */
const FOUR = { number: 1, bytes: 4 };
const SIX = { number: 2, bytes: 16 };

/**
 * An address as it stands in a message: hidden by the cookie and, for IPv6, by the transaction, from NATs that meddle with
 * addresses in packets. `header` is that of the message.
 */
export function writeXorAddress({ address, port }: Place, header: Buffer): Buffer {
  const bytes = bytesOf(address);
  const { number } = bytes.length === FOUR.bytes ? FOUR : SIX;
  const value = Buffer.alloc(4 + bytes.length);
  value.writeUInt8(number, 1);
  value.writeUInt16BE(port ^ (MAGIC_COOKIE >>> 16), 2);
  value.set(hidden(bytes, header), 4);
  return value;
}

/** Null: it is none. */
export function readXorAddress(value: Buffer | undefined, header: Buffer): Place | null {
  if (value === undefined || value.length < 4) return null;
  const family = [FOUR, SIX].find(({ number }) => number === value.readUInt8(1));
  if (value.length - 4 !== family?.bytes) return null;
  const port = value.readUInt16BE(2) ^ (MAGIC_COOKIE >>> 16);
  const bytes = hidden(value.subarray(4), header);
  const address = plainAddress(family === FOUR ? bytes.join('.') : sixOf(bytes));
  return address === null || port === 0 ? null : { address, port };
}

function hidden(bytes: Buffer, header: Buffer): Buffer {
  const mask = header.subarray(4, HEADER_BYTES);
  return Buffer.from(bytes.map((byte, index) => byte ^ mask.readUInt8(index)));
}

function bytesOf(address: string): Buffer {
  if (familyOf(address) === 4) return Buffer.from(address.split('.').map(Number));
  const groups = groupsOf(address);
  if (groups === undefined) throw new TypeError(`${address} is no address`);
  return Buffer.from(groups.flatMap((group) => [group >>> 8, group & 0xff]));
}

function sixOf(bytes: Buffer): string {
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':');
}

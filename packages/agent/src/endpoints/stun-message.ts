/** RFC 8489, as much of it as asking for one's own address takes: a Binding request, and what may come back. */
import { crc32 } from 'node:zlib';
import { plainAddress } from '@meshwork/addresses';
import type { Mapping } from './candidates.ts';

export const TRANSACTION_BYTES = 12;

const HEADER_BYTES = 20;
const BINDING_REQUEST = 0x0001;
const BINDING_SUCCESS = 0x0101;
const BINDING_ERROR = 0x0111;
const MAGIC_COOKIE = 0x2112a442;

const MAPPED_ADDRESS = 0x0001;
const MESSAGE_INTEGRITY = 0x0008;
const ERROR_CODE = 0x0009;
const MESSAGE_INTEGRITY_SHA256 = 0x001c;
const XOR_MAPPED_ADDRESS = 0x0020;
const FINGERPRINT = 0x8028;
const FINGERPRINT_XOR = 0x5354554e;

/** By what stands for the family. */
const ADDRESS_BYTES: ReadonlyMap<number, number> = new Map([
  [1, 4],
  [2, 16],
]);

/** Unknown attributes from here on may be ignored; an answer with an unknown one below is invalid. */
const OPTIONAL_FROM = 0x8000;
const KNOWN = new Set([MAPPED_ADDRESS, MESSAGE_INTEGRITY, ERROR_CODE, MESSAGE_INTEGRITY_SHA256, XOR_MAPPED_ADDRESS]);

/** `error_code`: the server has understood the request, and will not answer it. */
type StunAnswer = { readonly transaction: string } & ({ readonly mapping: Mapping } | { readonly error_code: number });

interface Attribute {
  readonly type: number;
  readonly value: Buffer;
  /** Of its own header, in the message. */
  readonly at: number;
}

export function bindingRequest(transaction: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(BINDING_REQUEST, 0);
  header.writeUInt32BE(MAGIC_COOKIE, 4);
  transaction.copy(header, 8);
  return header;
}

/** Null: it is no whole and sound answer to a Binding request, whatever else it may be. */
export function readAnswer(message: Buffer): StunAnswer | null {
  if (message.length < HEADER_BYTES || message.readUInt32BE(4) !== MAGIC_COOKIE) return null;
  const attributes = readAttributes(message);
  if (attributes === null || !isIntact(message, attributes)) return null;
  if (attributes.some(({ type }) => type < OPTIONAL_FROM && !KNOWN.has(type))) return null;
  const transaction = message.toString('hex', 8, HEADER_BYTES);
  const valueIn = (wanted: number) => attributes.find(({ type }) => type === wanted)?.value;
  switch (message.readUInt16BE(0)) {
    case BINDING_SUCCESS: {
      const mapping = readMapping(valueIn(XOR_MAPPED_ADDRESS), message);
      return mapping === null ? null : { transaction, mapping };
    }
    case BINDING_ERROR: {
      const value = valueIn(ERROR_CODE);
      if (value === undefined || value.length < 4) return null;
      return { transaction, error_code: (value.readUInt8(2) & 7) * 100 + value.readUInt8(3) };
    }
    default:
      return null;
  }
}

/** Null: they do not fill the message exactly. */
function readAttributes(message: Buffer): readonly Attribute[] | null {
  if (message.readUInt16BE(2) !== message.length - HEADER_BYTES) return null;
  const attributes: Attribute[] = [];
  let at = HEADER_BYTES;
  while (at < message.length) {
    if (at + 4 > message.length) return null;
    const [type, length] = [message.readUInt16BE(at), message.readUInt16BE(at + 2)];
    const end = at + 4 + Math.ceil(length / 4) * 4;
    if (end > message.length) return null;
    attributes.push({ type, at, value: message.subarray(at + 4, at + 4 + length) });
    at = end;
  }
  return attributes;
}

/** A fingerprint covers everything before it, and is the last there is. There need not be one. */
function isIntact(message: Buffer, attributes: readonly Attribute[]): boolean {
  const index = attributes.findIndex(({ type }) => type === FINGERPRINT);
  const fingerprint = attributes[index];
  if (fingerprint === undefined) return true;
  if (index !== attributes.length - 1 || fingerprint.value.length !== 4) return false;
  return fingerprint.value.readUInt32BE(0) === fingerprintOf(message.subarray(0, fingerprint.at));
}

/** `message` is all before the fingerprint, and its length already counts the fingerprint in. */
export function fingerprintOf(message: Buffer): number {
  return (crc32(message) ^ FINGERPRINT_XOR) >>> 0;
}

/** What NATs that meddle with addresses in packets must not see: it is hidden by the cookie and, for IPv6, the transaction. */
function readMapping(value: Buffer | undefined, message: Buffer): Mapping | null {
  if (value === undefined || value.length < 4) return null;
  const length = ADDRESS_BYTES.get(value.readUInt8(1));
  if (value.length - 4 !== length) return null;
  const port = value.readUInt16BE(2) ^ (MAGIC_COOKIE >>> 16);
  const bytes = value.subarray(4).map((byte, index) => byte ^ message.readUInt8(4 + index));
  const address = plainAddress(length === 4 ? bytes.join('.') : sixOf(Buffer.from(bytes)));
  return address === null || port === 0 ? null : { address, port };
}

function sixOf(bytes: Buffer): string {
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':');
}

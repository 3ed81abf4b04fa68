/** STUN messages (RFC 8489): a header, attributes, and what proves that they are whole and whose they are. */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const HEADER_BYTES = 20;
export const TRANSACTION_BYTES = 12;
export const MAGIC_COOKIE = 0x2112a442;

/** What attributes there are, of STUN and of TURN (RFC 8656). */
export const ATTRIBUTES = {
  MAPPED_ADDRESS: 0x0001,
  USERNAME: 0x0006,
  MESSAGE_INTEGRITY: 0x0008,
  ERROR_CODE: 0x0009,
  CHANNEL_NUMBER: 0x000c,
  LIFETIME: 0x000d,
  XOR_PEER_ADDRESS: 0x0012,
  DATA: 0x0013,
  REALM: 0x0014,
  NONCE: 0x0015,
  XOR_RELAYED_ADDRESS: 0x0016,
  REQUESTED_ADDRESS_FAMILY: 0x0017,
  REQUESTED_TRANSPORT: 0x0019,
  MESSAGE_INTEGRITY_SHA256: 0x001c,
  XOR_MAPPED_ADDRESS: 0x0020,
  FINGERPRINT: 0x8028,
} as const;

const FINGERPRINT_XOR = 0x5354554e;
const INTEGRITY_BYTES = 20;
/** Unknown attributes from here on may be ignored; a message with an unknown one below is invalid. */
const OPTIONAL_FROM = 0x8000;
const KNOWN: ReadonlySet<number> = new Set(Object.values(ATTRIBUTES));

export interface Attribute {
  readonly type: number;
  readonly value: Buffer;
}

interface PlacedAttribute extends Attribute {
  /** Of its own header, in the message. */
  readonly at: number;
}

export interface StunMessage {
  readonly type: number;
  /** Hexadecimal. */
  readonly transaction: string;
  readonly attributes: readonly PlacedAttribute[];
  readonly bytes: Buffer;
}

interface Written {
  readonly type: number;
  readonly transaction: Buffer;
  readonly attributes?: readonly Attribute[] | undefined;
  /** What its sender is known by: see `longTermKey`. Absent: it proves nothing. */
  readonly key?: Buffer | undefined;
}

/** Only a request with a key is worth a fingerprint too: with both, it cannot be taken for anything else. */
export function writeMessage({ type, transaction, attributes = [], key }: Written): Buffer {
  const body = Buffer.concat(attributes.map(writeAttribute));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(type, 0);
  header.writeUInt16BE(body.length, 2);
  header.writeUInt32BE(MAGIC_COOKIE, 4);
  transaction.copy(header, 8);
  const message = Buffer.concat([header, body]);
  return key === undefined ? message : withFingerprint(withIntegrity(message, key));
}

function writeAttribute({ type, value }: Attribute): Buffer {
  const written = Buffer.alloc(4 + padded(value.length));
  written.writeUInt16BE(type, 0);
  written.writeUInt16BE(value.length, 2);
  value.copy(written, 4);
  return written;
}

/** Null: it is no whole and sound message of STUN, whatever else it may be. */
export function readMessage(bytes: Buffer): StunMessage | null {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32BE(4) !== MAGIC_COOKIE) return null;
  const attributes = readAttributes(bytes);
  if (attributes === null || !isWhole(bytes, attributes)) return null;
  if (attributes.some(({ type }) => type < OPTIONAL_FROM && !KNOWN.has(type))) return null;
  return { type: bytes.readUInt16BE(0), transaction: bytes.toString('hex', 8, HEADER_BYTES), attributes, bytes };
}

export function valueIn({ attributes }: StunMessage, wanted: number): Buffer | undefined {
  return attributes.find(({ type }) => type === wanted)?.value;
}

/** Undefined: it is none. */
export function errorCodeIn(message: StunMessage): number | undefined {
  const value = valueIn(message, ATTRIBUTES.ERROR_CODE);
  if (value === undefined || value.length < 4) return undefined;
  return (value.readUInt8(2) & 7) * 100 + value.readUInt8(3);
}

/** Long-term credentials (RFC 8489, 9.2.2). */
export function longTermKey(username: string, realm: string, password: string): Buffer {
  return hash('md5', `${username}:${realm}:${password}`, 'buffer');
}

/** Whether its writer has the key. */
export function isGenuine({ bytes, attributes }: StunMessage, key: Buffer): boolean {
  const integrity = attributes.find(({ type }) => type === ATTRIBUTES.MESSAGE_INTEGRITY);
  if (integrity === undefined || integrity.value.length !== INTEGRITY_BYTES) return false;
  return timingSafeEqual(integrityOf(bytes.subarray(0, integrity.at), key), integrity.value);
}

/** Null: they do not fill the message exactly. */
function readAttributes(message: Buffer): readonly PlacedAttribute[] | null {
  if (message.readUInt16BE(2) !== message.length - HEADER_BYTES) return null;
  const attributes: PlacedAttribute[] = [];
  let at = HEADER_BYTES;
  while (at < message.length) {
    if (at + 4 > message.length) return null;
    const [type, length] = [message.readUInt16BE(at), message.readUInt16BE(at + 2)];
    const end = at + 4 + padded(length);
    if (end > message.length) return null;
    attributes.push({ type, at, value: message.subarray(at + 4, at + 4 + length) });
    at = end;
  }
  return attributes;
}

/** A fingerprint covers everything before it, and is the last there is. There need not be one. */
function isWhole(message: Buffer, attributes: readonly PlacedAttribute[]): boolean {
  const index = attributes.findIndex(({ type }) => type === ATTRIBUTES.FINGERPRINT);
  const fingerprint = attributes[index];
  if (fingerprint === undefined) return true;
  if (index !== attributes.length - 1 || fingerprint.value.length !== 4) return false;
  return fingerprint.value.readUInt32BE(0) === fingerprintOf(message.subarray(0, fingerprint.at));
}

/** `message` is all before the fingerprint, and its length already counts the fingerprint in. */
export function fingerprintOf(message: Buffer): number {
  return (crc32(message) ^ FINGERPRINT_XOR) >>> 0;
}

function withFingerprint(message: Buffer): Buffer {
  const counted = withLength(message, 8);
  const value = Buffer.alloc(4);
  value.writeUInt32BE(fingerprintOf(counted), 0);
  return Buffer.concat([counted, writeAttribute({ type: ATTRIBUTES.FINGERPRINT, value })]);
}

function withIntegrity(message: Buffer, key: Buffer): Buffer {
  const value = integrityOf(message, key);
  const counted = withLength(message, 4 + INTEGRITY_BYTES);
  return Buffer.concat([counted, writeAttribute({ type: ATTRIBUTES.MESSAGE_INTEGRITY, value })]);
}

/** `message` is all before it. Its length counts the integrity in, and nothing behind that. */
function integrityOf(message: Buffer, key: Buffer): Buffer {
  const counted = Buffer.from(message);
  counted.writeUInt16BE(message.length - HEADER_BYTES + 4 + INTEGRITY_BYTES, 2);
  return createHmac('sha1', key).update(counted).digest();
}

function withLength(message: Buffer, more: number): Buffer {
  const counted = Buffer.from(message);
  counted.writeUInt16BE(message.length - HEADER_BYTES + more, 2);
  return counted;
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4;
}

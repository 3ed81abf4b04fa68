/** Netlink as the kernel sends it: see netlink(7). Numbers are in the order of the host, which is little-endian on all that we run on. */

export interface NetlinkMessage {
  /** For nftables the subsystem is in the upper byte. */
  readonly type: number;
  readonly body: Buffer;
}

const MESSAGE_HEADER = 16;
const ATTRIBUTE_HEADER = 4;
/** Without the bits for nesting and byte order. */
const ATTRIBUTE_KIND = 0x3fff;

export function* messagesIn(datagram: Buffer): Generator<NetlinkMessage> {
  for (let at = 0; at + MESSAGE_HEADER <= datagram.length; ) {
    const length = datagram.readUInt32LE(at);
    if (length < MESSAGE_HEADER) return;
    yield { type: datagram.readUInt16LE(at + 4), body: datagram.subarray(at + MESSAGE_HEADER, at + length) };
    at += aligned(length);
  }
}

/** Of a message, after the fixed part that its kind begins with. The first of a kind counts. */
export function attribute(body: Buffer, fixed_bytes: number, kind: number): Buffer | undefined {
  for (let at = aligned(fixed_bytes); at + ATTRIBUTE_HEADER <= body.length; ) {
    const length = body.readUInt16LE(at);
    if (length < ATTRIBUTE_HEADER) return undefined;
    if ((body.readUInt16LE(at + 2) & ATTRIBUTE_KIND) === kind) return body.subarray(at + ATTRIBUTE_HEADER, at + length);
    at += aligned(length);
  }
  return undefined;
}

/** A text that ends with a zero. */
export function textOf(value: Buffer | undefined): string {
  if (value === undefined) return '';
  const end = value.indexOf(0);
  return value.toString('utf8', 0, end === -1 ? value.length : end);
}

function aligned(bytes: number): number {
  return (bytes + 3) & ~3;
}

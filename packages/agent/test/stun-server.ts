import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { crc32 } from 'node:zlib';

/** A datagram that came, and a way to send others. */
export interface Question {
  readonly request: Buffer;
  readonly from: RemoteInfo;
  /** Back to where it came from. */
  readonly answer: (message: Buffer) => void;
}

/** A UDP server that does whatever the script says with what it is asked, right or wrong. */
export async function stunServer(script: (question: Question) => void, address = '127.0.0.1') {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const requests: Buffer[] = [];
  const ports: number[] = [];
  socket.on('message', (request, from) => {
    requests.push(request);
    ports.push(from.port);
    script({ request, from, answer: (message) => socket.send(message, from.port, from.address) });
  });
  socket.bind(0, address);
  await once(socket, 'listening');
  return {
    address,
    port: socket.address().port,
    requests,
    /** That were asked from. */
    ports,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(resolve));
    },
  };
}

interface Answer {
  readonly address: string;
  readonly port: number;
  readonly type?: number;
  readonly transaction?: Buffer;
  readonly cookie?: Buffer;
  /** Before the address. */
  readonly attributes?: readonly Buffer[];
  /** Xored into the fingerprint. Absent: there is none. Zero: it is right. */
  readonly spoil_fingerprint?: number;
}

export function bindingAnswer(request: Buffer, answer: Answer): Buffer {
  const { type = 0x0101, cookie = request.subarray(4, 8), transaction = request.subarray(8, 20) } = answer;
  const mapped = attribute(0x0020, xorAddress(answer, request.subarray(4, 20)));
  const body = Buffer.concat([...(answer.attributes ?? []), mapped]);
  const fingerprint = answer.spoil_fingerprint;
  const length = body.length + (fingerprint === undefined ? 0 : 8);
  const message = Buffer.concat([uint16(type), uint16(length), cookie, transaction, body]);
  if (fingerprint === undefined) return message;
  return Buffer.concat([message, attribute(0x8028, uint32(crc32(message) ^ 0x5354554e ^ fingerprint))]);
}

export function attribute(type: number, value: Buffer): Buffer {
  return Buffer.concat([uint16(type), uint16(value.length), value, Buffer.alloc(-value.length & 3)]);
}

function xorAddress({ address, port }: Answer, mask: Buffer): Buffer {
  const bytes = isIPv6(address) ? sixBytes(address) : Buffer.from(address.split('.').map(Number));
  const hidden = Buffer.from(bytes.map((byte, index) => byte ^ mask.readUInt8(index)));
  return Buffer.concat([uint16(isIPv6(address) ? 2 : 1), uint16(port ^ mask.readUInt16BE(0)), hidden]);
}

/** Of an address with all its groups, or with `::` inside. */
function sixBytes(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const [front, back] = [head, tail].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  const zeros = new Array<string>(8 - front.length - back.length).fill('0');
  return Buffer.concat([...front, ...zeros, ...back].map((group) => uint16(Number.parseInt(group, 16))));
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

/** HTTP/2 as it is on the wire, with frames that no library would send. */
import { once } from 'node:events';
import { connect } from 'node:tls';

export const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, continuation: 9 } as const;
export const FLAG = { end_stream: 1, end_headers: 4 } as const;

type Fields = readonly (readonly [name: string, value: string])[];

export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Each as it is, without a table and without Huffman's code. */
export function fieldsBlock(fields: Fields): Buffer {
  const text = (value: string) => {
    const bytes = Buffer.from(value, 'latin1');
    return Buffer.concat([integer(bytes.length), bytes]);
  };
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

/** With a prefix of 7 bits (RFC 7541, 5.1). */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

export function request(fields: Fields, stream = 1): Buffer {
  return frame(FRAME.headers, FLAG.end_headers | FLAG.end_stream, stream, fieldsBlock(fields));
}

export function usual(path = '/', more: Fields = []): Fields {
  const authority = 'www-1.example.com';
  return [[':method', 'GET'], [':scheme', 'https'], [':authority', authority], [':path', path], ...more];
}

interface Heard {
  /** By stream. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly resets: ReadonlySet<number>;
  readonly is_ended: boolean;
}

/** Sends it, and hears until each of the streams has an answer or an end, or the connection has one. */
export async function exchange(port: number, frames: Buffer, streams: readonly number[]): Promise<Heard> {
  const options = { host: '127.0.0.1', port, servername: 'www-1.example.com', ALPNProtocols: ['h2'] };
  const socket = connect({ ...options, rejectUnauthorized: false });
  const statuses = new Map<number, number>();
  const resets = new Set<number>();
  let [is_ended, bytes] = [false, Buffer.alloc(0)];
  socket.on('error', () => undefined); // `close` follows
  const closed = once(socket, 'close');
  socket.on('data', (piece: Buffer) => {
    bytes = Buffer.concat([bytes, piece]);
    for (;;) {
      if (bytes.length < 9 || bytes.length < 9 + bytes.readUIntBE(0, 3)) break;
      const [size, type, stream] = [bytes.readUIntBE(0, 3), bytes[3], bytes.readUInt32BE(5) & 0x7fffffff];
      const payload = bytes.subarray(9, 9 + size);
      bytes = bytes.subarray(9 + size);
      if (type === FRAME.headers) statuses.set(stream, statusIn(payload));
      if (type === FRAME.reset) resets.add(stream);
      if (type === FRAME.goaway) is_ended = true;
    }
    if (is_ended || streams.every((one) => statuses.has(one) || resets.has(one))) socket.end();
  });
  await once(socket, 'secureConnect');
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(Buffer.concat([preface, frame(FRAME.settings, 0, 0), frames]));
  await closed;
  return { statuses, resets, is_ended: is_ended || statuses.size + resets.size === 0 };
}

const KNOWN: Readonly<Record<number, number>> = { 8: 200, 9: 204, 10: 206, 11: 304, 12: 400, 13: 404, 14: 500 };

/** The first field of an answer of nginx, behind a change of the size of the table. */
function statusIn(payload: Buffer): number {
  const [first = 0, ...rest] = (payload[0] ?? 0) >> 5 === 1 ? payload.subarray(1) : payload;
  return KNOWN[first & 0x7f] ?? Number(Buffer.from(rest.slice(1, 4)).toString());
}

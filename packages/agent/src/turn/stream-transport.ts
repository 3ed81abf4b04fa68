import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { HEADER_BYTES } from '../stun/message.ts';
import type { Place } from '../stun/xor-address.ts';
import { CHANNEL_HEADER_BYTES, type TransportListener, type TurnTransport } from './transport.ts';

/** How the certificate of a relay is checked. */
type TlsCheck = Pick<ConnectionOptions, 'servername' | 'ca'>;

/** Ours: a relay that takes longer to answer is of no use. */
const CONNECT_WITHIN_MS = 5000;
/** Ours: more than this waits to be sent only when the relay or the way there cannot keep up. What comes then is dropped, as on any busy way. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** To a relay's address, which is never a name. `tls` absent: in the open; what WireGuard sends is encrypted in any case. */
export function openStream({ address, port }: Place, tls?: TlsCheck): Promise<TurnTransport> {
  const place = { host: address, port };
  const socket = tls === undefined ? connect(place) : connectTls({ ...place, ...tls, ALPNProtocols: ['stun.turn'] });
  const { promise, resolve, reject } = Promise.withResolvers<TurnTransport>();
  const late = setTimeout(() => socket.destroy(new Error('no answer')), CONNECT_WITHIN_MS);
  socket.setNoDelay(true);
  socket.once('error', reject);
  socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
    clearTimeout(late);
    socket.off('error', reject);
    resolve(new StreamTransport(socket, tls === undefined ? 'tcp' : 'tls'));
  });
  return promise.finally(() => clearTimeout(late));
}

class StreamTransport implements TurnTransport {
  readonly kind: 'tcp' | 'tls';
  readonly reliable = true;
  readonly #socket: Socket;
  readonly #uncork = () => {
    this.#isCorked = false;
    this.#socket.uncork();
  };
  #isCorked = false;
  #rest: Buffer = Buffer.alloc(0);

  constructor(socket: Socket, kind: 'tcp' | 'tls') {
    this.#socket = socket;
    this.kind = kind;
  }

  get local(): string | undefined {
    return this.#socket.localAddress;
  }

  listen({ received, ended }: TransportListener): void {
    let reason: Error | undefined;
    this.#socket.on('error', (error) => {
      reason = error;
    });
    this.#socket.on('close', () => ended(reason ?? new Error('the relay ended the connection')));
    this.#socket.on('data', (chunk: Buffer) => {
      for (const message of this.#messagesIn(chunk)) received(message);
    });
  }

  send(message: Buffer): void {
    this.#write(message);
  }

  /** Padded to four bytes, which messages of STUN are by themselves. */
  sendChannelData(channel: number, data: Buffer): void {
    const end = CHANNEL_HEADER_BYTES + data.length;
    const bytes = Buffer.allocUnsafe(end + (-end & 3));
    bytes.writeUInt16BE(channel, 0);
    bytes.writeUInt16BE(data.length, 2);
    data.copy(bytes, CHANNEL_HEADER_BYTES);
    bytes.fill(0, end);
    this.#write(bytes);
  }

  /** All that is sent in one turn of the event loop goes to the kernel at once. */
  #write(bytes: Buffer): void {
    if (this.#socket.destroyed || this.#socket.writableLength > MAX_WAITING_BYTES) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
      setImmediate(this.#uncork);
    }
    this.#socket.write(bytes);
  }

  close(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }

  /** What is whole by now. */
  *#messagesIn(chunk: Buffer): Generator<Buffer> {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (let length = lengthOf(bytes); length !== undefined; length = lengthOf(bytes)) {
      const end = length + (-length & 3);
      if (bytes.length < end) break;
      yield bytes.subarray(0, length);
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes;
  }
}

/** Of the message at the beginning. Undefined: too little of it is there. */
function lengthOf(bytes: Buffer): number | undefined {
  if (bytes.length < CHANNEL_HEADER_BYTES) return undefined;
  const body = bytes.readUInt16BE(2);
  const isChannelData = (bytes.readUInt8(0) & 0xc0) === 0x40;
  return isChannelData ? CHANNEL_HEADER_BYTES + body : HEADER_BYTES + body;
}

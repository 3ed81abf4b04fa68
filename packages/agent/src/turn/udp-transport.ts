import { createSocket, type Socket } from 'node:dgram';
import { familyOf } from '@meshwork/addresses';
import type { Place } from '../stun/xor-address.ts';
import { CHANNEL_HEADER_BYTES, type TransportListener, type TurnTransport } from './transport.ts';

/** To a relay's address, which is never a name. Rejects when there is no way there. */
export function openUdp({ address, port }: Place): Promise<TurnTransport> {
  const socket = createSocket(familyOf(address) === 6 ? { type: 'udp6', ipv6Only: true } : { type: 'udp4' });
  const { promise, resolve, reject } = Promise.withResolvers<TurnTransport>();
  const failed = (error: Error) => {
    socket.close();
    reject(error);
  };
  socket.once('error', failed);
  // Connected: the kernel drops what comes from anywhere else, and reports that no server listens.
  socket.once('connect', () => {
    socket.off('error', failed);
    resolve(new UdpTransport(socket));
  });
  socket.connect(port, address); // without a callback, which would get the error in place of the event
  return promise;
}

class UdpTransport implements TurnTransport {
  readonly kind = 'udp';
  readonly reliable = false;
  readonly #socket: Socket;
  #isOpen = true;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  get local(): string | undefined {
    return this.#isOpen ? this.#socket.address().address : undefined;
  }

  listen({ received, ended }: TransportListener): void {
    this.#socket.on('message', received);
    this.#socket.on('error', (error) => {
      this.close();
      ended(error);
    });
  }

  /** One that is lost on its way, or before it, is the same to the caller. */
  send(message: Buffer): void {
    if (this.#isOpen) this.#socket.send(message, ignored);
  }

  /** Without a callback: what cannot be sent right now is dropped, as on any busy way. */
  sendChannelData(channel: number, data: Buffer): void {
    if (!this.#isOpen) return;
    const header = Buffer.allocUnsafe(CHANNEL_HEADER_BYTES);
    header.writeUInt16BE(channel, 0);
    header.writeUInt16BE(data.length, 2);
    this.#socket.send([header, data]);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#socket.close();
  }
}

function ignored(): void {}

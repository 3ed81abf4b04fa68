import { createSocket, type Socket } from 'node:dgram';
import { MAPPING_PORT } from './ask-gateway.ts';

/** Where routers announce that they have lost their mappings: RFC 6886, 3.2.1 and RFC 6887, 14.1.3. To all hosts, 224.0.0.1. */
const ANNOUNCEMENT_PORT = 5350;

/**
 * Hears routers. What they say is taken as a reason to ask, and for nothing else: any host nearby could have sent it. Without it,
 * for the port may be taken, a router that started again is found out a minute later.
 */
export class Announcements {
  readonly #heard: (from: string) => void;
  #socket: Socket | undefined;

  constructor(heard: (from: string) => void) {
    this.#heard = heard;
  }

  start(): void {
    if (this.#socket !== undefined) return;
    const socket = createSocket({ type: 'udp4', reuseAddr: true });
    socket.on('error', () => this.stop());
    socket.on('message', (_, { address, port }) => {
      if (port === MAPPING_PORT) this.#heard(address);
    });
    socket.bind(ANNOUNCEMENT_PORT);
    this.#socket = socket.unref();
  }

  stop(): void {
    this.#socket?.close();
    this.#socket = undefined;
  }
}

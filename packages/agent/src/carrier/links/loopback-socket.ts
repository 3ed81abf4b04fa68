import type { Socket } from 'node:dgram';
import { openUdpSocket } from '../udp-socket.ts';

interface LoopbackOptions {
  /** Where WireGuard listens. */
  readonly wireguard_port: number;
  /** The one to have if it is free. */
  readonly port?: number | undefined;
  /** WireGuard sent this to the link with that address. */
  readonly received: (data: Buffer, address: string) => void;
}

const LOOPBACK = '127.0.0.1';

/**
 * One socket that WireGuard sees as many, each with an address of its own: `../tables/loopback-table.ts` says how. It is bound
 * to loopback, and hears only what comes from WireGuard's port, which no other program can have.
 */
export class LoopbackSocket {
  readonly #socket: Socket;
  wireguard_port: number;

  private constructor(socket: Socket, wireguard_port: number) {
    this.#socket = socket;
    this.wireguard_port = wireguard_port;
  }

  static async open({ wireguard_port, port, received }: LoopbackOptions): Promise<LoopbackSocket> {
    const open = (wanted: number) =>
      openUdpSocket({
        family: 4,
        address: LOOPBACK,
        port: wanted,
        received: (data, from) => {
          if (from.port === loopback.wireguard_port) received(data, from.address);
        },
      });
    const socket = await (port === undefined ? open(0) : open(port).catch((error) => ifTaken(error, () => open(0))));
    const loopback = new LoopbackSocket(socket, wireguard_port);
    return loopback;
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** WireGuard hears it from that address. */
  deliver(data: Buffer, address: string): void {
    this.#socket.send(data, this.wireguard_port, address);
  }

  close(): void {
    this.#socket.close();
  }
}

function ifTaken<T>(error: NodeJS.ErrnoException, otherwise: () => T): T {
  if (error.code !== 'EADDRINUSE') throw error;
  return otherwise();
}

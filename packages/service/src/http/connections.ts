import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The open connections of a server. Their addresses are known from the start, and all of them can be ended at shutdown. */
export class Connections {
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  constructor(server: Server) {
    this.#server = server;
    // Before HTTP's own listener. A client may reset its connection at once, and its request is still delivered, but without the
    // address. Node remembers an address that was read before.
    server.prependListener('connection', (socket: Socket) => {
      if (isAddressed(socket)) this.#keep(socket);
    });
    server.prependListener('secureConnection', (socket: Socket) => void isAddressed(socket));
  }

  /** While `closing` runs: a connection ends as soon as it has its answer, and every other when the time is over. */
  async goWith(closing: Promise<unknown>, limit_ms: number): Promise<void> {
    const idle = setInterval(() => this.#server.closeIdleConnections(), 100);
    const limit = setTimeout(() => {
      // Also those that never got as far as HTTP, such as one that began TLS and fell silent.
      for (const socket of this.#open) socket.destroy();
    }, limit_ms);
    try {
      await closing;
    } finally {
      clearInterval(idle);
      clearTimeout(limit);
    }
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  }
}

function isAddressed(socket: Socket): boolean {
  if (socket.remoteAddress !== undefined) return true;
  socket.destroy();
  return false;
}

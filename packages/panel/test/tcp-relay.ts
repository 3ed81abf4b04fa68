/** Stands on the wire between panel and coordinator: passes everything on, notes what was asked, and can break the connection. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export class TcpRelay {
  /** Where it leads. Undefined: it refuses all connections. */
  target: string | undefined;
  /** What to do with whatever was asked, as soon as it has come, instead of passing it on. */
  intercept: ((asked: string, socket: Socket) => boolean) | undefined;
  /** What the panel sent, connection after connection. */
  asked = '';
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => this.#relay(socket));
  }

  static async open(): Promise<TcpRelay> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpRelay(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Connections that the panel holds at the moment. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Breaks every connection; the next ones lead wherever `target` says then. */
  dropAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.dropAll();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #relay(socket: Socket): void {
    if (this.target === undefined) {
      socket.destroy();
      return;
    }
    const { hostname, port } = new URL(this.target);
    const onward = connect(Number(port), hostname);
    this.#sockets.add(socket);
    socket.on('data', (bytes) => {
      const asked = bytes.toString('latin1');
      this.asked += asked;
      if (this.intercept?.(asked, socket) !== true) onward.write(bytes);
    });
    onward.pipe(socket);
    // Either end takes the other with it, however it ended.
    socket
      .on('error', () => undefined)
      .on('close', () => {
        this.#sockets.delete(socket);
        onward.destroy();
      });
    onward.on('error', () => undefined).on('close', () => socket.destroy());
  }
}

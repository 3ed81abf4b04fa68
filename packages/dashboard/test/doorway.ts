/** A proxy in front of a coordinator or a panel, which can be closed. A restarted service keeps its address, on any port. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export class Doorway implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #target: URL | undefined;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => this.#pass(socket));
  }

  static async open(): Promise<Doorway> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Doorway(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  leadTo(url: string): void {
    this.#target = new URL(url);
  }

  shut(): void {
    this.#target = undefined;
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.shut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #pass(socket: Socket): void {
    if (this.#target === undefined) {
      socket.destroy();
      return;
    }
    const onward = connect(Number(this.#target.port), this.#target.hostname);
    this.#sockets.add(socket);
    socket.pipe(onward);
    onward.pipe(socket);
    const end = () => {
      this.#sockets.delete(socket);
      socket.destroy();
      onward.destroy();
    };
    for (const side of [socket, onward]) side.on('error', end).on('close', end);
  }
}

/** Stands between a store and its PostgreSQL server, and breaks the connection at the moment a test wants it broken. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { PostgresServer } from './postgres-server.ts';

/** What happens to the next write that comes by; afterwards everything passes again. */
type Trouble =
  | 'none'
  /** The server never gets it. */
  | 'cut before the server receives it'
  /** The server answers, and the answer is lost. */
  | 'cut before the answer'
  /** The server is left to it, whenever it gets it done. */
  | 'cut at once';

export class CuttingProxy {
  /** The bytes of the write that trouble waits for. */
  write = 'COMMIT\0';
  trouble: Trouble = 'none';
  /** Nothing passes towards the server any more, and it cannot know why. */
  stalled = false;
  /** New connections are refused. */
  closed = false;
  /** How many connections were cut. */
  cuts = 0;
  readonly #server = createServer((client) => this.#carry(client));
  readonly #sockets = new Set<Socket>();
  readonly #target: string;

  constructor(target: PostgresServer) {
    this.#target = join(target.folder, '.s.PGSQL.5432');
  }

  /** Returns the address of a database as seen through the proxy. */
  async open(address: string): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const listening = this.#server.address();
    if (listening === null || typeof listening === 'string') throw new Error('no port');
    return `postgres://postgres@127.0.0.1:${listening.port}${new URL(address).pathname}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #carry(client: Socket): void {
    if (this.closed) {
      client.destroy();
      return;
    }
    const server = connect(this.#target);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      // Whatever breaks on one side ends the other, as in a real network.
      socket.on('error', () => undefined);
      socket.on('close', () => this.#cut(client, server));
    }
    client.on('data', (chunk: Buffer) => this.#towardsServer(chunk, client, server));
    server.on('data', (chunk) => client.write(chunk));
  }

  #towardsServer(chunk: Buffer, client: Socket, server: Socket): void {
    if (this.stalled) return;
    const trouble = chunk.includes(this.write) ? this.trouble : 'none';
    if (trouble !== 'none') {
      this.trouble = 'none';
      this.cuts += 1;
    }
    if (trouble === 'cut before the server receives it') {
      this.#cut(client, server);
      return;
    }
    if (trouble === 'cut before the answer') {
      server.removeAllListeners('data');
      server.once('data', () => this.#cut(client, server));
    }
    server.write(chunk);
    // The server does not know: its connection stays open until it has finished.
    if (trouble === 'cut at once') {
      server.removeAllListeners('data').on('data', () => undefined);
      client.removeAllListeners('close').destroy();
    }
  }

  #cut(...sockets: readonly Socket[]): void {
    for (const socket of sockets) {
      socket.destroy();
      this.#sockets.delete(socket);
    }
  }
}

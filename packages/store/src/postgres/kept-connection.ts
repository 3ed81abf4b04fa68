import type pg from 'pg';
import { connect, disconnect, type Purpose, type Server } from './connect.ts';

/** One connection, opened when it is needed, and anew after it broke. */
export class KeptConnection {
  readonly #server: Server;
  readonly #purpose: Purpose;
  #client: pg.Client | undefined;

  constructor(server: Server, purpose: Purpose) {
    this.#server = server;
    this.#purpose = purpose;
  }

  async use(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client;
    const client = await connect(this.#server, this.#purpose);
    const forget = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    this.#client = client;
    return client;
  }

  /** Closes a connection in an unknown state. */
  drop(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.connection.stream.destroy();
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) await disconnect(client);
  }
}

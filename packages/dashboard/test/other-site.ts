/** The site of an attacker, on loopback: its pages attack the panel through the browser of a visitor. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export class OtherSite implements AsyncDisposable {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Shows this page at every address. */
  static async open(html: string): Promise<OtherSite> {
    const server = createServer((_, answer) => {
      answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      answer.end(`<!doctype html><title>Another site</title>${html}`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new OtherSite(server);
  }

  /** To a browser `localhost` with any port is the same site, and `127.0.0.1` is another. */
  url(host: 'localhost' | '127.0.0.1'): string {
    return `http://${host}:${(this.#server.address() as AddressInfo).port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

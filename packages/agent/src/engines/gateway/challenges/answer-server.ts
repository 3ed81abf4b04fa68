/**
 * The agent's own TLS server, for `tls-alpn-01`: nginx cannot choose a certificate by ALPN. It listens while there is something to show, on a
 * socket that only nginx may connect to, and shows nothing but certificates that answer a challenge.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createSecureContext, createServer, type SecureContext, type Server } from 'node:tls';
import { InTurn } from '../../../host/in-turn.ts';
import { GATEWAY_FILES } from '../gateway-files.ts';
import type { GatewayFolder } from '../gateway-folder.ts';
import { ACME_TLS } from './challenge-streams.ts';

/** Ours: an authority takes a round trip or two. */
const HANDSHAKE_MS = 5000;
const MOST_CONNECTIONS = 500;

interface ShownCertificate {
  /** In PEM. */
  readonly certificate: string;
  readonly private_key: string;
}

export class AnswerServer {
  readonly #folder: GatewayFolder;
  readonly #turns = new InTurn();
  readonly #shown = new Map<string, SecureContext>();
  #server: Server | undefined;

  constructor(folder: GatewayFolder) {
    this.#folder = folder;
  }

  /** At this host name, in place of what was shown there. */
  show(hostname: string, { certificate, private_key }: ShownCertificate): Promise<void> {
    return this.#turns.take(async () => {
      this.#shown.set(hostname, createSecureContext({ cert: certificate, key: private_key }));
      await this.#listen();
    });
  }

  hide(hostname: string): Promise<void> {
    this.#shown.delete(hostname);
    return this.sweep();
  }

  /** Leaves nothing where nothing is shown, also of an agent that was killed. */
  sweep(): Promise<void> {
    return this.#turns.take(async () => {
      if (this.#shown.size === 0) await this.#end();
    });
  }

  async #listen(): Promise<void> {
    if (this.#server !== undefined && (await this.#folder.has(GATEWAY_FILES.answers))) return;
    await this.#end(); // its socket may be left of an agent that was killed, or was taken away
    const server = createServer({
      ALPNProtocols: [ACME_TLS],
      minVersion: 'TLSv1.2',
      handshakeTimeout: HANDSHAKE_MS,
      SNICallback: (name, done) => done(null, this.#shown.get(name.toLowerCase())), // without one, there is no certificate
    });
    server.maxConnections = MOST_CONNECTIONS;
    server.on('tlsClientError', (_, socket) => socket.destroy());
    server.on('secureConnection', (socket) => {
      socket.on('error', () => socket.destroy()); // the authority has seen all there is
      socket.setTimeout(HANDSHAKE_MS, () => socket.destroy());
      socket.resume().end();
    });
    server.listen(this.#folder.file(GATEWAY_FILES.answers)).unref();
    await once(server, 'listening');
    this.#server = server;
    await this.#folder.lend(GATEWAY_FILES.answers);
  }

  async #end(): Promise<void> {
    this.#server?.close();
    this.#server = undefined;
    await rm(this.#folder.file(GATEWAY_FILES.answers), { force: true });
  }
}

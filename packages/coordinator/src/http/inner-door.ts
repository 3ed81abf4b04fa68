/**
 * The same API once more, for callers inside the mesh: on an address of the mesh, over TLS by the certificate that the agent on this
 * host keeps. Interface and certificate come when the agent has joined, perhaps long after the coordinator, and the certificate
 * changes every few days: the door opens when both are there, and takes up new files without closing.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { answerBrokenConnection, Connections, type Listen, type Log, readTls, urlOf } from '@meshwork/service';

/** How often it looks for other files, or whether the address is there. */
const LOOKS_EVERY_MS = 5000;
const SHUTDOWN_LIMIT_MS = 10_000;

interface Tls {
  readonly cert: string;
  readonly key: string;
}

interface DoorParts {
  readonly listen: Listen;
  /** With `cert.pem` and `key.pem`. */
  readonly tls_folder: string;
  /** What answers. */
  readonly inner: Pick<Server, 'emit' | 'requestTimeout' | 'headersTimeout'>;
  readonly log: Log;
}

export class InnerDoor {
  readonly #parts: DoorParts;
  readonly #timer: NodeJS.Timeout;
  #server: Server | undefined;
  #connections: Connections | undefined;
  #tls: Tls | undefined;
  #looking: Promise<void> | undefined;
  /** What is missing, so that it is said once. */
  #missing = '';

  constructor(parts: DoorParts, looks_every_ms = LOOKS_EVERY_MS) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.look(), looks_every_ms).unref();
  }

  /** Where it is. Null: it is not open. */
  get url(): string | null {
    const address = this.#server?.address() as AddressInfo | null | undefined;
    return address === null || address === undefined ? null : urlOf(address, true);
  }

  /** Opens it if it can be opened, and takes up other files. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Answers what was accepted, and lets go of the address. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    const server = this.#server;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    await this.#connections?.goWith(closed, SHUTDOWN_LIMIT_MS);
  }

  async #look(): Promise<void> {
    const { log, tls_folder } = this.#parts;
    try {
      const tls = await readTls({ cert_file: join(tls_folder, 'cert.pem'), key_file: join(tls_folder, 'key.pem') });
      if (this.#server === undefined) await this.#open(tls);
      else if (tls.cert !== this.#tls?.cert || tls.key !== this.#tls.key) {
        this.#server.setSecureContext({ ...tls });
        log.info({ url: this.url }, 'took up another certificate');
      }
      this.#tls = tls;
      this.#missing = '';
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#missing) log.warn({ err: error }, 'the door inside the mesh waits for its agent');
      this.#missing = message;
    }
  }

  async #open(tls: Tls): Promise<void> {
    const { inner, listen, log } = this.#parts;
    const server = createServer({ ...tls, joinDuplicateHeaders: true });
    for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
      server.on(event, (request, response) => inner.emit(event, request, response));
    }
    server.on('clientError', answerBrokenConnection);
    server.requestTimeout = inner.requestTimeout;
    server.headersTimeout = inner.headersTimeout;
    const connections = new Connections(server);
    server.listen(listen.port, listen.host);
    await once(server, 'listening'); // rejects with the error of the system
    this.#server = server;
    this.#connections = connections;
    log.info({ url: this.url }, 'serving inside the mesh');
  }
}

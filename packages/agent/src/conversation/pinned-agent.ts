import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { checkPin } from './pins.ts';

type Made = (error: Error | null, socket: Duplex) => void;

/**
 * Connects only to whoever has one of the pinned keys; who signed for it and what it is called do not matter. A connection
 * is handed out after its key was checked, so no byte of a request can have gone before. Each one has a whole handshake
 * of its own: a resumed one shows no certificate.
 */
export class PinnedAgent extends Agent {
  readonly #pins: readonly string[];

  constructor(options: AgentOptions, pins: readonly string[]) {
    super({ ...options, maxCachedSessions: 0 });
    this.#pins = pins;
  }

  override createConnection(options: RequestOptions, made: Made): undefined {
    const host = options.host ?? 'localhost';
    const socket = connect({
      host,
      port: Number(options.port ?? 443),
      rejectUnauthorized: false, // the pin decides, below
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    const failed = (error: Error) => made(error, socket);
    socket.once('error', failed);
    socket.once('secureConnect', () => {
      socket.off('error', failed);
      const mismatch = checkPin(socket, this.#pins);
      if (mismatch === undefined) return made(null, socket);
      socket.destroy();
      made(mismatch, socket);
    });
    return undefined;
  }
}

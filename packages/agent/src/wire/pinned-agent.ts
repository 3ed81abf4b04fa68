import type { AgentOptions, RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { https } from '../host/http.ts';
import { checkPin } from './pins.ts';

type Made = (error: Error | null, socket: Duplex) => void;

/** Ours: a server that takes longer for its handshake hangs. No other timeout covers a connection that is not made yet. */
const HANDSHAKE_MS = 10_000;

/**
 * Connects only to the holder of a pinned key; its issuer and its name do not matter. A connection
 * is handed out after its key was checked, so no byte of a request can have gone before. Each one has a whole handshake
 * of its own: a resumed one shows no certificate.
 */
export class PinnedAgent extends https.Agent {
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
    const late = setTimeout(() => socket.destroy(tooLate()), HANDSHAKE_MS);
    const failed = (error: Error) => made(error, socket);
    socket.once('error', failed);
    socket.once('close', () => clearTimeout(late));
    socket.once('secureConnect', () => {
      clearTimeout(late);
      socket.off('error', failed);
      const mismatch = checkPin(socket, this.#pins);
      if (mismatch === undefined) return made(null, socket);
      socket.destroy();
      made(mismatch, socket);
    });
    return undefined;
  }
}

/** With the code of the system, so that it is reported as any other connection that timed out. */
function tooLate(): Error {
  return Object.assign(new Error('no certificate was shown in time'), { code: 'ETIMEDOUT' });
}

import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Opening } from './lab-probes.ts';

/** Answers that are further apart belong to different openings. */
const APART_MS = 300;

/** A datagram every few milliseconds, and the times during which they were answered. */
export class Beat {
  readonly #socket: Socket;
  readonly #timer: NodeJS.Timeout;
  readonly #openings: Opening[] = [];

  constructor({ host, port, every_ms }: { readonly host: string; readonly port: number; readonly every_ms: number }) {
    this.#socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    this.#socket.on('message', () => this.#answered());
    // A host that has no way there, or refuses: no answer came, which is what the openings say.
    this.#socket.on('error', () => undefined);
    this.#timer = setInterval(() => this.#socket.send('?', port, host, () => undefined), every_ms);
  }

  #answered(): void {
    const now = Date.now();
    const last = this.#openings.at(-1);
    if (last !== undefined && now - last.to_ms < APART_MS) {
      this.#openings[this.#openings.length - 1] = { from_ms: last.from_ms, to_ms: now };
    } else {
      this.#openings.push({ from_ms: now, to_ms: now });
    }
  }

  end(): readonly Opening[] {
    clearInterval(this.#timer);
    this.#socket.close();
    return this.#openings;
  }
}

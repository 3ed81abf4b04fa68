import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Entrance, SocketState } from './visitor-calls.ts';

const EVERY_MS = 50;
/** A text frame with a mask of zeros, as a client has to send one. */
const FRAME = Buffer.concat([Buffer.from([0x81, 0x80 | 16, 0, 0, 0, 0]), Buffer.alloc(16, 'x')]);

/** A websocket, or a TCP connection, that says a little all the time, to a service that says it back. */
export class VisitorSocket {
  readonly #socket: Socket;
  readonly #timer: NodeJS.Timeout;
  readonly #service: string;
  #sent = 0;
  #returned = 0;
  #ended: string | null = null;

  private constructor(socket: Socket, service: string) {
    this.#socket = socket;
    this.#service = service;
    socket.on('data', (chunk: Buffer) => {
      this.#returned += chunk.length;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#ended ??= error.code ?? error.message;
    });
    socket.once('close', () => {
      clearInterval(this.#timer);
      this.#ended ??= 'closed';
    });
    this.#timer = setInterval(() => {
      if (this.#socket.write(FRAME)) this.#sent += FRAME.length;
    }, EVERY_MS);
  }

  static async open({ addresses, port, host, ca }: Entrance, path: string): Promise<VisitorSocket> {
    const [address = ''] = addresses;
    const socket =
      ca === undefined ? connect(port, address) : connectTls({ port, host: address, servername: host, ca });
    await once(socket, ca === undefined ? 'connect' : 'secureConnect');
    const key = randomBytes(16).toString('base64');
    const lines = [`Host: ${host}`, 'Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Key: ${key}`];
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nSec-WebSocket-Version: 13\r\n\r\n`);
    const head = await answered(socket);
    if (!head.startsWith('HTTP/1.1 101')) throw new Error(`no websocket: ${head.split('\r\n', 1)[0]}`);
    return new VisitorSocket(socket, /^x-service: (.*)$/im.exec(head)?.[1]?.trim() ?? '');
  }

  /** By TCP, to a service that begins with its name. */
  static async connect(address: string, port: number): Promise<VisitorSocket> {
    const socket = connect(port, address);
    await once(socket, 'connect');
    return new VisitorSocket(socket, (await answered(socket, '\n')).trim());
  }

  get state(): SocketState {
    return {
      service: this.#service,
      sent_bytes: this.#sent,
      returned_bytes: this.#returned,
      ended: this.#ended,
    };
  }

  end(): void {
    this.#socket.destroy();
  }
}

/** The head of the answer. The service says nothing of itself after it. */
async function answered(socket: Socket, end = '\r\n\r\n'): Promise<string> {
  let head = '';
  const closed = once(socket, 'close').then(() => [undefined] as const);
  while (!head.includes(end)) {
    const [chunk] = await Promise.race([once(socket, 'data') as Promise<[Buffer]>, closed]);
    if (chunk === undefined) throw new Error('it was closed without an answer');
    head += chunk.toString('latin1');
  }
  return head;
}

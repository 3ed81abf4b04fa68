/**
 * A service that takes nothing for granted: it reads each byte as HTTP/1.1 has it, without any leniency, and keeps what it read. What is no
 * request stays in `broken`.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import type { AssignedTarget } from '@meshwork/contract';
import { targetOf } from './ingress-section.ts';

interface RawRequest {
  /** `GET /a?b HTTP/1.1`. */
  readonly line: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

const HEADER = /^([!#$%&'*+.^_`|~A-Za-z0-9-]+): ?([\x20-\x7e\x80-\xff\t]*)$/;
const LINE = /^[A-Z]+ \/[\x21-\x7e]* HTTP\/1\.1$/;

export class RawService implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly requests: RawRequest[] = [];
  readonly broken: string[] = [];

  private constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      let text = '';
      socket.setEncoding('latin1').on('data', (piece: string) => {
        text = this.#read(socket, text + piece);
      });
      socket.on('error', () => undefined); // `close` follows
      socket.on('close', () => {
        this.#sockets.delete(socket);
        if (text !== '') this.broken.push(text);
      });
    });
  }

  static async start(): Promise<RawService> {
    const service = new RawService();
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  target(number: number): AssignedTarget {
    return targetOf(number, { address: '127.0.0.1', port: (this.#server.address() as AddressInfo).port });
  }

  get paths(): readonly string[] {
    return this.requests.map(({ line }) => line.split(' ')[1] ?? '');
  }

  forget(): void {
    this.requests.length = 0;
    this.broken.length = 0;
  }

  /** Answers with what does not make a whole request yet. */
  #read(socket: Socket, all: string): string {
    let text = all;
    for (;;) {
      const found = requestIn(text);
      if (found === undefined) return text;
      if (found === null) {
        this.broken.push(text);
        socket.destroy();
        return '';
      }
      this.requests.push(found.request);
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      text = found.rest;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/** Undefined: there is more to come. Null: this is no request. */
function requestIn(text: string): { readonly request: RawRequest; readonly rest: string } | null | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [line = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((one) => HEADER.exec(one)).map((one) => [one?.[1] ?? '', one?.[2] ?? ''] as const);
  if (!LINE.test(line) || headers.some(([name]) => name === '')) return null;
  const all = (wanted: string) => headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  const [lengths, encodings] = [all('content-length'), all('transfer-encoding')];
  if (all('host').length !== 1 || lengths.length + encodings.length > 1) return null;
  const found = bodyIn(text.slice(end + 4), lengths[0], encodings[0]);
  return found && { request: { line, headers, body: found.body }, rest: found.rest };
}

function bodyIn(text: string, length: string | undefined, encoding: string | undefined) {
  if (encoding !== undefined) return encoding === 'chunked' ? chunksIn(text) : null;
  if (length !== undefined && !/^\d{1,9}$/.test(length)) return null;
  const bytes = Number(length ?? 0);
  return text.length < bytes ? undefined : { body: text.slice(0, bytes), rest: text.slice(bytes) };
}

function chunksIn(text: string) {
  let [body, rest] = ['', text];
  for (;;) {
    const end = rest.indexOf('\r\n');
    if (end === -1) return undefined;
    const size = rest.slice(0, end);
    if (!/^[0-9a-f]{1,8}$/i.test(size)) return null;
    const bytes = Number.parseInt(size, 16);
    if (rest.length < end + 4 + bytes) return undefined;
    if (rest.slice(end + 2 + bytes, end + 4 + bytes) !== '\r\n') return null;
    body += rest.slice(end + 2, end + 2 + bytes);
    rest = rest.slice(end + 4 + bytes);
    if (bytes === 0) return { body, rest };
  }
}

/** A server and a client that speak as gRPC does: framed messages over HTTP/2, and a status in trailers. */
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  constants,
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { AssignedTarget } from '@meshwork/contract';
import { targetOf } from './ingress-section.ts';

/** As gRPC frames it, without compression. */
function framed(text: string): Buffer {
  const frame = Buffer.alloc(5 + Buffer.byteLength(text));
  frame.writeUInt32BE(Buffer.byteLength(text), 1);
  frame.write(text, 5);
  return frame;
}

/** The messages that have come in whole. */
function messagesIn(bytes: Buffer): readonly string[] {
  if (bytes.length < 5 || bytes.length < 5 + bytes.readUInt32BE(1)) return [];
  const end = 5 + bytes.readUInt32BE(1);
  return [bytes.toString('utf8', 5, end), ...messagesIn(bytes.subarray(end))];
}

/** `/test.Echo/*` answers each message with itself, `/test.Slow/*` not at all, and `/test.Cut/*` with an end. */
export class GrpcServer implements AsyncDisposable {
  readonly calls: IncomingHttpHeaders[] = [];
  readonly #server: Http2Server;
  readonly #sessions = new Set<{ destroy(): void }>();

  private constructor(name: string, tls?: { readonly cert: string; readonly key: string }) {
    this.#server = tls === undefined ? createServer() : createSecureServer(tls);
    this.#server.on('session', (session) => this.#sessions.add(session));
    this.#server.on('stream', (stream, headers) => {
      this.calls.push(headers);
      stream.on('error', () => undefined); // calls of these tests are given up
      answer(stream, String(headers[':path']), name);
    });
  }

  static async start(name: string, tls?: { readonly cert: string; readonly key: string }): Promise<GrpcServer> {
    const started = new GrpcServer(name, tls);
    started.#server.listen(0, '127.0.0.1');
    await once(started.#server, 'listening');
    return started;
  }

  target(number: number): AssignedTarget {
    return targetOf(number, { address: '127.0.0.1', port: (this.#server.address() as AddressInfo).port });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const session of this.#sessions) session.destroy();
    await closed;
  }
}

function answer(stream: ServerHttp2Stream, path: string, name: string): void {
  if (path.startsWith('/test.Slow/')) return;
  if (path.startsWith('/test.Cut/')) {
    stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    return;
  }
  stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'x-node': name }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', 'grpc-message': 'fine' }));
  stream.pipe(stream);
}

/** One call, as its client sees it. */
export class GrpcCall {
  headers: IncomingHttpHeaders = {};
  trailers: IncomingHttpHeaders = {};
  /** Whether there was nothing but headers. */
  isOnlyHeaders = false;
  readonly #stream;
  readonly #answered;
  readonly #ended;
  #bytes = Buffer.alloc(0);

  constructor(
    session: ClientHttp2Session,
    authority: string,
    path: string,
    more: Readonly<Record<string, string>> = {},
  ) {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      ':authority': authority,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...more,
    });
    this.#answered = once(stream, 'response').then(([headers, flags]) => {
      this.headers = headers;
      this.isOnlyHeaders = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    });
    stream.on('trailers', (trailers) => {
      this.trailers = trailers;
    });
    stream.on('data', (piece: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, piece]);
    });
    stream.on('error', () => undefined); // of a call that was refused before all of it was sent
    this.#ended = new Promise<void>((resolve) => stream.once('close', resolve));
    this.#stream = stream;
  }

  get messages(): readonly string[] {
    return messagesIn(this.#bytes);
  }

  send(text: string): void {
    this.#stream.write(framed(text));
  }

  /** After all messages. Answers once the call has ended. */
  async end(): Promise<this> {
    this.#stream.end();
    await this.#answered;
    await this.#ended;
    return this;
  }

  /** As a client of gRPC reads it. */
  get status() {
    const { 'grpc-status': status, 'grpc-message': message } = this.isOnlyHeaders ? this.headers : this.trailers;
    return {
      http: this.headers[':status'],
      type: this.headers['content-type'],
      status: Number(status),
      message: String(message),
    };
  }
}

/** To a gateway, which shows this certificate. */
export function grpcSession(port: number, servername: string, ca: string): ClientHttp2Session {
  return connect(`https://127.0.0.1:${port}`, { servername, ca });
}

/** Services on loopback that a gateway does not look into: they say who they are, and what they got. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { AssignedTarget } from '@meshwork/contract';
import { targetOf } from './ingress-section.ts';
import { until } from './namespaces.ts';

export interface StreamService extends AsyncDisposable {
  readonly port: number;
  /** Connections that are open now. */
  readonly open: number;
  target(number: number, over?: Partial<AssignedTarget>): AssignedTarget;
}

interface Secret {
  readonly cert: string;
  readonly key: string;
}

/** Answers each piece with its name before it, and the end with an end. `tls`: by TLS. */
export async function streamService(
  name: string,
  { tls, port = 0 }: { tls?: Secret; port?: number } = {},
): Promise<StreamService> {
  const sockets = new Set<Socket>();
  const take = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // clients of these tests hang up
    socket.on('data', (piece) => socket.write(`${name}:${piece}`));
    socket.on('end', () => socket.end('.'));
  };
  const server =
    tls === undefined
      ? createServer({ allowHalfOpen: true }, take)
      : createTlsServer({ ...tls, allowHalfOpen: true }, take).on('tlsClientError', () => undefined);
  const connections = new Set<Socket>(); // also those without a handshake
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const at = (server.address() as AddressInfo).port;
  return {
    port: at,
    get open() {
      return sockets.size;
    },
    target: (number, over) => targetOf(number, { address: '127.0.0.1', port: at, ...over }),
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of connections) socket.destroy();
      await closed;
    },
  };
}

/** Answers each datagram with its name before it. */
export async function datagramService(name: string) {
  const socket = createSocket('udp4');
  socket.on('message', (text, from) => socket.send(`${name}:${text}`, from.port, from.address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  return {
    target: (number: number, over?: Partial<AssignedTarget>) =>
      targetOf(number, { address: '127.0.0.1', port, ...over }),
    [Symbol.asyncDispose]: async () => {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}

interface Client {
  readonly socket: Socket;
  /** Sends it, and waits until the other side has said this. */
  say(text: string, expected?: RegExp): Promise<string>;
  /** All that came, once the other side has ended. */
  readonly ended: Promise<string>;
}

/** A connection. `from`: an address of loopback. */
export function client(port: number, from = '127.0.0.1', host = '127.0.0.1'): Client {
  return clientOn(connect({ host, port, localAddress: from, allowHalfOpen: true }));
}

export function clientOn(socket: Socket): Client {
  let heard = '';
  const ended = Promise.withResolvers<string>();
  socket.on('error', () => undefined); // `close` follows
  socket.on('data', (piece) => {
    heard += piece;
  });
  socket.on('end', () => ended.resolve(heard));
  socket.on('close', () => ended.resolve(heard));
  return {
    socket,
    ended: ended.promise,
    say: async (text, expected = /./) => {
      heard = '';
      socket.write(text);
      await until(`it answers ${text}`, async () => expected.test(heard) || socket.closed);
      return heard;
    },
  };
}

/** Who answers one connection after the other. `-`: it was closed without an answer. */
export async function whoAnswers(port: number, times: number, from?: (number: number) => string) {
  const counts: Record<string, number> = {};
  for (let number = 0; number < times; number += 1) {
    const { socket, ended } = client(port, from?.(number));
    socket.end('x');
    const name = /^\w+/.exec(await ended)?.[0] ?? '-';
    counts[name] = (counts[name] ?? 0) + 1;
    socket.destroy();
  }
  return counts;
}

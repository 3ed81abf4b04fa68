import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface UpstreamServer extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  /** Connections that were opened so far. */
  readonly opened: number;
  /** Connections that are open now. */
  readonly open: number;
}

/** On loopback, with a port of its own. */
async function listening(server: Server, address: string, port: number): Promise<UpstreamServer> {
  const sockets = new Set<Socket>();
  let opened = 0;
  server.on('connection', (socket: Socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on('error', () => undefined); // clients of these tests hang up
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, address);
  await once(server, 'listening');
  return {
    address,
    port: (server.address() as AddressInfo).port,
    get opened() {
      return opened;
    },
    get open() {
      return sockets.size;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** `address`: any of 127.0.0.0/8. */
export function httpUpstream(listener: RequestListener, address = '127.0.0.1', port = 0): Promise<UpstreamServer> {
  return listening(createHttpServer(listener), address, port);
}

export function httpsUpstream(
  { cert, key }: { readonly cert: string; readonly key: string },
  listener: RequestListener,
): Promise<UpstreamServer> {
  const server = createHttpsServer({ cert, key }, listener);
  server.on('tlsClientError', () => undefined); // a client that does not trust it hangs up
  return listening(server, '127.0.0.1', 0);
}

/** Speaks whatever it is given. */
export function tcpUpstream(speak: (socket: Socket) => void): Promise<UpstreamServer> {
  return listening(createServer(speak) as unknown as Server, '127.0.0.1', 0);
}

/**
 * The program of a web service: says who it is, streams bodies back, takes its time when it is asked to, answers health checks,
 * and echoes what comes by websocket.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { answering } from '../remote-program.ts';
import type { ServiceCounts, ServiceRequest } from './web-service-calls.ts';

/** Of RFC 6455. */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

let name = '';
let health = 200;
const counts = { answered: 0, checks: 0, sockets: 0, headers: {} as ServiceCounts['headers'] };

answering(async (request: ServiceRequest) => {
  switch (request.do) {
    case 'serve':
      return await serve(request);
    case 'health':
      health = request.status;
      return;
    case 'counts':
      return counts;
  }
});

async function serve(request: Extract<ServiceRequest, { do: 'serve' }>): Promise<void> {
  name = request.name;
  const { tls } = request;
  const server =
    tls === undefined
      ? createServer(answer)
      : createTlsServer(
          { cert: await readFile(join(tls.folder, 'cert.pem')), key: await readFile(join(tls.folder, 'key.pem')) },
          answer,
        );
  server.on('upgrade', echo);
  server.listen({ port: request.port, host: '::' });
  await once(server, 'listening');
}

const answer: RequestListener = (request, response) => {
  void (async () => {
    const url = new URL(request.url ?? '/', 'http://service');
    if (url.pathname === '/healthz') {
      counts.checks += 1;
      response.writeHead(health).end(health === 200 ? 'ok' : 'not well');
      return;
    }
    counts.headers = request.headers;
    const received = await length(request);
    await pause(Number(url.searchParams.get('ms') ?? 0));
    counts.answered += 1;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ name, path: url.pathname, received }));
  })();
};

async function length(request: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of request) bytes += (chunk as Buffer).length;
  return bytes;
}

/** The frames of the client come back as they are, but for the mask, which a server must not use. */
function echo(request: IncomingMessage, socket: Duplex): void {
  const key = request.headers['sec-websocket-key'] ?? '';
  const accept = createHash('sha1').update(`${key}${ACCEPT_SUFFIX}`).digest('base64');
  const lines = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${accept}`, `X-Service: ${name}`];
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
  counts.sockets += 1;
  socket.on('data', (chunk: Buffer) => socket.write(chunk));
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    counts.sockets -= 1;
  });
}

/**
 * The program of services that are no websites: TCP and UDP that say who they are and send back what comes, gRPC with its health
 * protocol, and TLS that a service ends itself.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { answering } from '../remote-program.ts';
import type { OtherServicesRequest, ServicePorts } from './other-services.ts';

const GRPC = { 'content-type': 'application/grpc', ':status': 200 };
const HEALTH = '/grpc.health.v1.Health/Check';
/** A frame with the message `status: SERVING`. */
const SERVING = Buffer.from([0, 0, 0, 0, 2, 0x08, 0x01]);

answering(async ({ name, ports, tls }: OtherServicesRequest) => {
  await tcp(name, ports);
  await udp(name, ports);
  await grpc(name, ports);
  const server = createTlsServer(
    { cert: await readFile(join(tls, 'cert.pem')), key: await readFile(join(tls, 'key.pem')) },
    (_, response) => response.end(JSON.stringify({ name })),
  );
  await once(server.listen({ port: ports.tls, host: '::' }), 'listening');
});

async function tcp(name: string, ports: ServicePorts): Promise<void> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.write(`${name}\n`);
    socket.on('data', (chunk: Buffer) => socket.write(chunk));
  });
  await once(server.listen({ port: ports.tcp, host: '::' }), 'listening');
}

async function udp(name: string, ports: ServicePorts): Promise<void> {
  const socket = createSocket({ type: 'udp6' });
  socket.on('message', (text, from) => socket.send(`${name} ${text.toString()}`, from.port, from.address));
  socket.bind(ports.udp, '::');
  await once(socket, 'listening');
}

async function grpc(name: string, ports: ServicePorts): Promise<void> {
  const server = createHttp2Server();
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.respond(GRPC, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', 'x-service': name }));
    if (headers[':path'] === HEALTH) stream.end(SERVING);
    else stream.pipe(stream); // every message comes back, as it comes
  });
  await once(server.listen({ port: ports.grpc, host: '::' }), 'listening');
}

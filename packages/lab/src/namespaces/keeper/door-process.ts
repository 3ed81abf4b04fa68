/** Runs in the namespace of the switch just long enough to listen there, and hands what it listens with to the keeper. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Door } from './door-addresses.ts';

const { hosts, port } = JSON.parse(process.argv[2] ?? '') as Door;
for (const host of hosts) {
  const server = createServer();
  server.listen({ host, port });
  await once(server, 'listening');
  process.send?.('listening', server);
}
process.on('disconnect', () => process.exit(0));

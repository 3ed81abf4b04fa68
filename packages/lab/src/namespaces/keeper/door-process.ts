/** Runs in the namespace of the switch just long enough to listen there, and hands what it listens with to the keeper. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { DOOR_PORT, DOORS } from './door-addresses.ts';

for (const host of DOORS) {
  const server = createServer();
  server.listen({ host, port: DOOR_PORT });
  await once(server, 'listening');
  process.send?.('listening', server);
}
process.on('disconnect', () => process.exit(0));

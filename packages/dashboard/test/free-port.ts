import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** One that nobody has at the moment, for who has to come back under the same. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

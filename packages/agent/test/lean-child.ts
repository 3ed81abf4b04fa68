/** Loads an agent and has it call a coordinator once. Says which parts of the platform were loaded that an agent can do without. */
import { writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { createClient } from '@meshwork/client';
import { systemClock } from '@meshwork/time';

const { LeanFetch } = await import('../src/index.ts');
const server = createServer((socket) => {
  socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
const { port } = server.address() as { port: number };
const lean = new LeanFetch();
const client = createClient({
  url: `http://127.0.0.1:${port}`,
  fetch: lean.fetch,
  clock: systemClock,
  user_agent: 'test',
});
const { status } = await client.call('roles.delete', { params: { name: 'x' }, token: 'mesh_x' });
lean.close();
server.close();
const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] };
writeSync(1, JSON.stringify({ status, heavy: moduleLoadList.filter((name) => name.includes('undici')) }));

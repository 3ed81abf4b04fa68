/** The program of the way to a pebble in a namespace: a Unix socket is the same in all of them. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { answering } from '../remote-program.ts';
import type { DoorRequest } from './lab-pebble.ts';

answering(async ({ path, port }: DoorRequest) => {
  const ended = () => undefined; // the other side ends with it, and says why by itself
  const server = createServer((outside) => {
    const inside = connect({ host: '127.0.0.1', port });
    pipeline(outside, inside, outside, ended);
  });
  server.listen(path);
  await once(server, 'listening');
});

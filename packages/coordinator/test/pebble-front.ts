/** Stands in front of Pebble, which believes to be here: a test sees what it is asked, and can answer in its place. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Pebble } from './pebble.ts';

interface OwnAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export async function pebbleFront(pebble: Pebble) {
  const asked: string[] = [];
  const front = {
    /** `POST /order-plz`, in order. */
    asked,
    /** These get no answer. */
    holds: (_path: string): boolean => false,
    /** These get this one, and Pebble does not hear of them. */
    answers: (_path: string): OwnAnswer | undefined => undefined,
  };
  const [target] = pebble.directory.match(/:(\d+)/)?.slice(1) ?? [];
  const server = createServer(pebble.web_key, (wanted: IncomingMessage, answer) => {
    const path = wanted.url ?? '';
    const { method, headers } = wanted;
    asked.push(`${method} ${path}`);
    if (front.holds(path)) return;
    const own = front.answers(path);
    if (own !== undefined) {
      wanted.resume();
      answer.writeHead(own.status, own.headers).end(own.body);
      return;
    }
    const passed = request({ host: '127.0.0.1', port: target, path, method, headers, ca: pebble.roots }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    wanted.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const directory = `https://127.0.0.1:${(server.address() as AddressInfo).port}/dir`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return Object.assign(front, { directory, close });
}

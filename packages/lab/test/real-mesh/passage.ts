/** A way from an address in a lab to a server outside of it, which a socket in the file system is: those belong to no namespace. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Place } from '../../src/namespaces/index.ts';

const INSIDE = `
const { connect, createServer } = require('node:net');
const [host, port, path] = process.argv.slice(1);
createServer((socket) => {
  const out = connect(path);
  for (const [one, other] of [[socket, out], [out, socket]]) one.on('error', () => other.destroy()).on('close', () => other.destroy());
  socket.pipe(out).pipe(socket);
}).listen(Number(port), host, () => process.stdout.write('ready'));
`;

export class Passage implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #server: Server;
  readonly #open: Set<Socket>;

  private constructor(child: ChildProcess, server: Server, open: Set<Socket>) {
    this.#child = child;
    this.#server = server;
    this.#open = open;
  }

  static async open(
    place: Place,
    way: {
      readonly from: { readonly host: string; readonly port: number };
      readonly to: string;
      readonly folder: string;
    },
  ): Promise<Passage> {
    const path = join(way.folder, 'passage.sock');
    const { hostname, port } = new URL(way.to);
    const open = new Set<Socket>();
    const server = createServer((inside) => {
      const outside = connect(Number(port), hostname);
      const pair = [inside, outside] as const;
      for (const [one, other] of [pair, pair.toReversed() as [Socket, Socket]]) {
        open.add(one);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          open.delete(one);
          other.destroy();
        });
      }
      inside.pipe(outside).pipe(inside);
    });
    server.listen(path);
    await once(server, 'listening');
    const args = [process.execPath, '-e', INSIDE, way.from.host, String(way.from.port), path];
    const [program, ...rest] = place.command(args);
    const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    return new Passage(child, server, open);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await ended;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    await closed;
  }
}

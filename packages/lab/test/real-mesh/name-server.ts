import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Place } from '../../src/namespaces/index.ts';

/** Answers every question for an IPv4 address with the same one, and says that there is none for IPv6. */
const PROGRAM = `
const [host, address] = process.argv.slice(1);
const socket = require('node:dgram').createSocket('udp4');
socket.on('message', (query, { port, address: asker }) => {
  let end = 12;
  while (query[end] !== 0) end += query[end] + 1;
  const isIPv4 = query.readUInt16BE(end + 1) === 1;
  const head = Buffer.from([query[0], query[1], 0x81, 0x80, 0, 1, 0, isIPv4 ? 1 : 0, 0, 0, 0, 0]);
  const answer = isIPv4 ? [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)] : [];
  socket.send(Buffer.concat([head, query.subarray(12, end + 5), Buffer.from(answer)]), port, asker);
});
socket.bind(53, host, () => process.stdout.write('ready'));
`;

/** A name server in a lab, on an address of its own. */
export class NameServer implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, 'close');
  }

  static async start(place: Place, { host, answer }: { host: string; answer: string }): Promise<NameServer> {
    const [program, ...args] = place.command([process.execPath, '-e', PROGRAM, host, answer]);
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const server = new NameServer(child);
    const said = await Promise.race([once(child.stdout, 'data').then(String), server.#ended.then(() => '')]);
    if (said !== 'ready') throw new Error('the name server did not start');
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LabNode } from '../../src/namespaces/node/lab-node.ts';
import { until } from '../until.ts';

export const STUN_PORT = 3478;

/** coturn on a public node: answers STUN on both of its addresses, and relays nothing. */
export class StunServer implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
  }

  /** Resolves when it listens. */
  static async start(node: LabNode): Promise<StunServer> {
    const folder = await mkdtemp(join(tmpdir(), 'mesh-lab-stun-'));
    const { address, address6 } = node.planned;
    const flags = ['--stun-only', '--fingerprint', '--no-tls', '--no-dtls', '--no-tcp', '--no-cli'];
    const places = [`--listening-ip=${address}`, `--listening-ip=${address6}`, `--listening-port=${STUN_PORT}`];
    const files = ['--log-file=stdout', `--db=${folder}/db`, `--pidfile=${folder}/pid`];
    const child = node.spawn('turnserver', ['-n', ...flags, ...places, ...files], { stdio: 'ignore' });
    const server = new StunServer(child, folder);
    try {
      await until(
        async () => {
          const sockets = await node.exec('ss', ['-Hlnu', 'sport', '=', `:${STUN_PORT}`]);
          return [`${address}:`, `[${address6}]:`].every((place) => sockets.includes(place));
        },
        () => `coturn listens on ${node.name}`,
      );
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGKILL');
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

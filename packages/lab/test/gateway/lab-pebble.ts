/** Debian's pebble on a node of a lab: an authority outside of the mesh that looks at gateways by their real ports. */
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { givenAuthority } from '@meshwork/coordinator/testing';
import type { LabNode } from '../../src/namespaces/node/lab-node.ts';
import { RemoteProgram } from '../remote-program.ts';
import { until } from '../until.ts';

const PROGRAM = fileURLToPath(new URL('./pebble-door-process.ts', import.meta.url));
const run = promisify(execFile);
/** In its own namespace. */
const [PORT, MANAGEMENT_PORT] = [14_000, 15_000];

export interface DoorRequest {
  readonly do: 'open';
  readonly path: string;
  readonly port: number;
}

type Door = RemoteProgram<DoorRequest, { open: undefined }>;

export class LabPebble implements AsyncDisposable {
  readonly directory: string;
  /** Of its web server, in PEM. */
  readonly roots: string;
  readonly #made: AsyncDisposableStack;

  private constructor(directory: string, roots: string, made: AsyncDisposableStack) {
    this.directory = directory;
    this.roots = roots;
    this.#made = made;
  }

  /** `resolver`: the address of the name server that it asks. */
  static async start(node: LabNode, resolver: string): Promise<LabPebble> {
    await using made = new AsyncDisposableStack();
    const folder = made.use(await mkdtempDisposable(join(tmpdir(), 'meshwork-pebble-')));
    const file = (name: string) => join(folder.path, name);
    const { root, issue } = await givenAuthority('Web of Pebble');
    const { chain, private_key } = await issue({ names: ['IP:127.0.0.1'] });
    await writeFile(file('cert.pem'), chain);
    await writeFile(file('key.pem'), private_key, { mode: 0o600 });
    await writeFile(file('root.pem'), root.certificate);
    const pebble = {
      listenAddress: `127.0.0.1:${PORT}`,
      managementListenAddress: `127.0.0.1:${MANAGEMENT_PORT}`,
      certificate: file('cert.pem'),
      privateKey: file('key.pem'),
      httpPort: 80,
      tlsPort: 443,
      ocspResponderURL: '',
      externalAccountBindingRequired: false,
    };
    await writeFile(file('config.json'), JSON.stringify({ pebble }));
    const env = { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0' };
    const args = ['-config', file('config.json'), '-dnsserver', `${resolver}:53`];
    const child = made.adopt(node.spawn('pebble', args, { env, stdio: 'ignore' }), ended);
    const door: Door = made.use(new RemoteProgram(node, 'door of pebble', PROGRAM));
    const path = file('door.sock');
    await door.ask({ do: 'open', path, port: PORT });
    const server = createServer((outside) => {
      const inside = connect({ path });
      pipeline(outside, inside, outside, () => undefined);
    });
    made.adopt(server, closed);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const directory = `https://127.0.0.1:${(server.address() as AddressInfo).port}/dir`;
    await until(
      async () => (await run('curl', ['-sf', '--cacert', file('root.pem'), directory]).catch(() => null)) !== null,
      () => `pebble answers (it ended with ${child.exitCode})`,
    );
    return new LabPebble(directory, root.certificate, made.move());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#made[Symbol.asyncDispose]();
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, 'exit');
  child.kill('SIGKILL');
  await over;
}

function closed(server: Server): void {
  server.close(); // what came by it ends with the door
}

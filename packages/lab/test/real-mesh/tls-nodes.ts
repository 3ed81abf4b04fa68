import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import { CertificatesPage } from '../certificates-page.ts';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { setGrants } from './grants.ts';
import { mounted } from './mounted.ts';
import { untilReached } from './reach.ts';

/**
 * Two nodes with certificates: `a` may ask nginx on `git-1`, which is configured as the page on certificates says. It lets in whom the mesh certifies,
 * and says who that is.
 */
export class TlsNodes implements AsyncDisposable {
  readonly #folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
  readonly #servers: ChildProcess[] = [];
  readonly scene: Scene;
  readonly page: CertificatesPage;

  private constructor(scene: Scene, page: CertificatesPage, folder: Awaited<ReturnType<typeof mkdtempDisposable>>) {
    this.scene = scene;
    this.page = page;
    this.#folder = folder;
  }

  /** `ports`: what else of `git-1` is open to `a`. */
  static async start(given: { settings?: object; ports?: readonly string[] } = {}): Promise<TlsNodes> {
    const page = await CertificatesPage.open('nodes');
    const scene = await Scene.start({ nodes: [{ name: 'a' }, { name: 'git-1' }], settings: given.settings ?? {} });
    const nodes = new TlsNodes(scene, page, await mkdtempDisposable(join(tmpdir(), 'meshwork-tls-')));
    try {
      await setGrants(scene, [{ from: 'a', to: 'git-1', allow: ['tcp:8443', ...(given.ports ?? [])] }]);
      await Promise.all([nodes.#untilCertified('a'), nodes.#untilCertified('git-1')]);
      for (const folder of ['mesh-agent', 'nginx']) await mkdir(nodes.file(`lib/${folder}`), { recursive: true });
      await nodes.#startNginx();
      return nodes;
    } catch (error) {
      await nodes[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The folder with what programs on a node read; the agent points it at a new generation with each change. */
  current(node: string): string {
    return join(nodeFolder(this.scene.lab.plan.name, node), 'state', 'tls', 'current');
  }

  /** A file of this test's own. */
  file(name: string): string {
    return join(this.#folder.path, name);
  }

  /** What to run on a node so that a command finds the state of its agent where an installed one keeps it. */
  asInstalled(node: string, command: readonly string[]): [string, ...string[]] {
    const state = join(nodeFolder(this.scene.lab.plan.name, node), 'state');
    const mounts = [[state, this.file('lib/mesh-agent')] as const, [this.file('lib'), '/var/lib'] as const];
    return mounted(mounts, command);
  }

  /** As the unit is reloaded. */
  reloadNginx(): void {
    this.#servers[0]?.kill('SIGHUP');
  }

  /** Starts another server on `git-1`, and waits until `a` reaches it. */
  async serve(command: string, args: readonly string[], port: number): Promise<ChildProcess> {
    const server = this.scene.lab.node('git-1').spawn(command, [...args], { stdio: 'ignore' });
    this.#servers.push(server);
    await untilReached(this.scene.prober('a'), { host: await this.scene.addressOf('git-1'), port });
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) await end(server);
    await this.#folder[Symbol.asyncDispose]();
    await this.scene[Symbol.asyncDispose]();
  }

  async #untilCertified(node: string): Promise<void> {
    for (const file of ['cert.pem', 'key.pem', 'ca.pem', 'crl.pem']) {
      const isThere = () =>
        readFile(join(this.current(node), file), 'utf8').then(
          (text) => text !== '',
          () => false,
        );
      await until(isThere, () => `${file} of ${node}`);
    }
  }

  async #startNginx(): Promise<void> {
    const [site = ''] = this.page.blocks('TLS in both directions with nginx');
    const text = [
      `user root; pid ${this.file('nginx.pid')}; error_log ${this.file('error.log')}; daemon off;`,
      'events {}',
      `http { access_log off; ${site} }`,
    ];
    await writeFile(this.file('nginx.conf'), text.join('\n'));
    const [program, ...args] = this.asInstalled('git-1', ['nginx', '-c', this.file('nginx.conf')]);
    await this.serve(program, args, 8443);
  }
}

export async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
}

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { setGrants } from './grants.ts';
import { untilReached } from './reach.ts';

/** Two nodes with certificates: `a` may ask nginx on `b`, which lets in whom the mesh certifies and says who that is. */
export class TlsNodes implements AsyncDisposable {
  readonly #folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
  readonly #servers: ChildProcess[] = [];
  readonly scene: Scene;

  private constructor(scene: Scene, folder: Awaited<ReturnType<typeof mkdtempDisposable>>) {
    this.scene = scene;
    this.#folder = folder;
  }

  /** `ports`: what else of `b` is open to `a`. */
  static async start(given: { settings?: object; ports?: readonly string[] } = {}): Promise<TlsNodes> {
    const scene = await Scene.start({ nodes: [{ name: 'a' }, { name: 'b' }], settings: given.settings ?? {} });
    const nodes = new TlsNodes(scene, await mkdtempDisposable(join(tmpdir(), 'meshwork-tls-')));
    try {
      await setGrants(scene, [{ from: 'a', to: 'b', allow: ['tcp:8443', ...(given.ports ?? [])] }]);
      await Promise.all([nodes.#untilCertified('a'), nodes.#untilCertified('b')]);
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

  /** As the unit is reloaded. */
  reloadNginx(): void {
    this.#servers[0]?.kill('SIGHUP');
  }

  /** Starts another server on `b`, and waits until `a` reaches it. */
  async serve(command: string, args: readonly string[], port: number): Promise<ChildProcess> {
    const server = this.scene.lab.node('b').spawn(command, [...args], { stdio: 'ignore' });
    this.#servers.push(server);
    await untilReached(this.scene.prober('a'), { host: await this.scene.addressOf('b'), port });
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
    const tls = this.current('b');
    const site = [
      'listen 8443 ssl;',
      `ssl_certificate ${tls}/cert.pem;`,
      `ssl_certificate_key ${tls}/key.pem;`,
      `ssl_client_certificate ${tls}/ca.pem;`,
      `ssl_crl ${tls}/crl.pem;`,
      'ssl_verify_client on;',
      'ssl_verify_depth 2;',
      'location / { return 200 "hello $ssl_client_s_dn\\n"; }',
    ];
    const text = [
      `user root; pid ${this.file('nginx.pid')}; error_log ${this.file('error.log')}; daemon off;`,
      'events {}',
      `http { access_log off; server { ${site.join('\n')} } }`,
    ];
    await writeFile(this.file('nginx.conf'), text.join('\n'));
    await this.serve('nginx', ['-c', this.file('nginx.conf')], 8443);
  }
}

export async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
}

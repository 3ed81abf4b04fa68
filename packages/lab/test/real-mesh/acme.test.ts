/**
 * The ACME clients of Debian get, renew and revoke certificates on a node, through the mesh, from a coordinator that behaves as badly
 * as the protocol allows: some good nonces are refused, and names that were proven are not always proven again.
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createClient } from '@meshwork/client';
import { nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { ACME_PROGRAMS, type AcmeSetup, prepared } from './acme-programs.ts';
import { setGrants } from './grants.ts';
import { Passage } from './passage.ts';
import { untilReached } from './reach.ts';

const PORT = 8443;
/**
 * As `update-ca-certificates` would have it, and with a name server that says at once that it is not there. `ip netns exec` has
 * given the process file systems of its own.
 */
const TRUSTING =
  'mount --bind "$1" /etc/ssl/certs/ca-certificates.crt && mount --bind "$2" /etc/resolv.conf && shift 2 && exec "$@"';

describe('ACME clients', () => {
  let scene: Scene;
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
  let passage: Passage;
  let web: ChildProcess | undefined;
  let setup: Omit<AcmeSetup, 'folder'>;
  const inFolder = (name: string) => join(folder.path, name);

  before(async () => {
    folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-acme-'));
    scene = await Scene.start({
      nodes: [{ name: 'control' }, { name: 'git' }],
      env: (lab) => ({
        MESH_INNER_LISTEN: '127.0.0.1:0',
        MESH_INNER_TLS: join(nodeFolder(lab, 'control'), 'state', 'tls', 'current'),
      }),
    });
    await setGrants(scene, [{ from: 'git', to: 'control', allow: [`tcp:${PORT}`] }]);
    let inner: string | null = null;
    await until(
      async () => {
        inner = await scene.mesh.innerUrl();
        return inner !== null;
      },
      () => 'the door inside the mesh',
    );
    const host = await scene.addressOf('control');
    const way = { from: { host, port: PORT }, to: inner ?? '', folder: folder.path };
    passage = await Passage.open(scene.lab.place('control'), way);
    await untilReached(scene.prober('git'), { host, port: PORT });
    const scope = { team: '*', surface: '*', environment: '*' };
    const expires = new Date(Date.now() + 86_400_000 / 2).toISOString();
    const token = await scene.client.call('tokens.create', {
      body: { name: 'acme', scope, role: 'operator', expires },
    });
    const own = createClient({ url: scene.mesh.url, token: token.body.secret });
    const { body: binding } = await own.call('acme.bind', {});
    const { body: bundle } = await scene.client.call('ca.bundle', {});
    await writeFile(inFolder('ca.pem'), bundle);
    await writeFile(inFolder('resolv.conf'), 'nameserver 127.0.0.1\n');
    const webroot = inFolder('web/.well-known/acme-challenge');
    await mkdir(webroot, { recursive: true });
    const directory = `https://control.mesh:${PORT}${binding.directory}`;
    setup = { directory, key_id: binding.key_id, key: binding.key, webroot };
  });
  after(async () => {
    await end(web);
    await passage?.[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  async function end(child: ChildProcess | undefined): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  async function startWeb(): Promise<void> {
    if (web !== undefined) return;
    const site = `listen 80; listen [::]:80; root ${inFolder('web')};`;
    const text = `user root; pid ${inFolder('nginx.pid')}; error_log ${inFolder('error.log')}; daemon off;
      events {}
      http { access_log off; server { ${site} } }`;
    await writeFile(inFolder('nginx.conf'), text);
    web = scene.lab.node('git').spawn('nginx', ['-c', inFolder('nginx.conf')], { stdio: 'ignore' });
  }

  const run = (command: readonly string[]) =>
    scene.lab
      .node('git')
      .exec('env', [
        `UACME_CHALLENGE_PATH=${setup.webroot}`,
        ...['sh', '-c', TRUSTING, 'sh', inFolder('ca.pem'), inFolder('resolv.conf')],
        ...command,
      ]);

  async function serialOf(chain: string): Promise<string> {
    const printed = await scene.lab.node('git').exec('openssl', ['x509', '-noout', '-serial'], { input: chain });
    return printed.trim().split('=')[1]?.toLowerCase() ?? '';
  }

  /** Rejects with what OpenSSL has against it now. */
  async function verify(chain: string): Promise<void> {
    const { body: lists } = await scene.client.call('ca.crl', {});
    await writeFile(inFolder('crl.pem'), lists);
    const checks = ['-x509_strict', '-crl_check_all', '-purpose', 'sslserver', '-CRLfile', inFolder('crl.pem')];
    const files = ['-CAfile', inFolder('ca.pem'), '-untrusted', chain, chain];
    await scene.lab.node('git').exec('openssl', ['verify', ...checks, ...files]);
  }

  for (const [place, name] of ACME_PROGRAMS.entries()) {
    test(`${name} gets, renews and revokes certificates for one name and for two`, async () => {
      const own: AcmeSetup = { ...setup, folder: inFolder(`client-${place}`) };
      const program = await prepared(name, own);
      scene.mesh.beHostile(program.takes_hostility);
      if (program.needs_web) await startWeb();
      const registered = program.register?.(own);
      if (registered !== undefined) await run(registered);
      for (const names of [['git.mesh'], ['api.git.mesh', 'git.mesh']]) {
        await run(program.issue(own, names));
        const file = program.certificate(own, names);
        const first = await readFile(file, 'utf8');
        await verify(file);
        await run(program.renew(own, names));
        const second = await readFile(file, 'utf8');
        await verify(file);
        assert.notEqual(await serialOf(second), await serialOf(first));
        await run(program.revoke(own, names));
        const { body } = await scene.client.call('ca.certificates', { query: { q: await serialOf(second) } });
        assert.deepEqual(
          body.items.map(({ state, names: { dns }, requested_by }) => [state, dns.toSorted(), requested_by.name]),
          [['revoked', names, 'acme']],
        );
      }
    });
  }
});

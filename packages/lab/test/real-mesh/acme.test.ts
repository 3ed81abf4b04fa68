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
import { asRun, CertificatesPage, linesOf } from '../certificates-page.ts';
import { MESH_PROGRAM, Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { ACME_PROGRAMS, type AcmeSetup, prepared } from './acme-programs.ts';
import { setGrants } from './grants.ts';
import { type Mount, mounted } from './mounted.ts';
import { Passage } from './passage.ts';
import { untilReached } from './reach.ts';

/** `git-1` reaches the coordinator through the mesh, by the certificate of `control`. */
const DIRECTORY = 'https://control.mesh/v1/acme/directory';

describe('ACME clients', () => {
  let scene: Scene;
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
  let passage: Passage;
  let web: ChildProcess | undefined;
  let setup: Omit<AcmeSetup, 'folder'>;
  let page: CertificatesPage;
  /** As an installed certbot has it: its own folders, and the root of the mesh trusted. */
  let mounts: readonly Mount[];
  const inFolder = (name: string) => join(folder.path, name);

  before(async () => {
    page = await CertificatesPage.open('acme');
    folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-acme-'));
    scene = await Scene.start({
      nodes: [{ name: 'control' }, { name: 'git-1', tags: ['team:platform', 'surface:git', 'env:production'] }],
      env: (lab) => ({
        MESH_INNER_LISTEN: '127.0.0.1:0',
        MESH_INNER_TLS: join(nodeFolder(lab, 'control'), 'state', 'tls', 'current'),
      }),
    });
    await setGrants(scene, [{ from: 'git-1', to: 'control', allow: ['tcp:443'] }]);
    let inner: string | null = null;
    await until(
      async () => {
        inner = await scene.mesh.innerUrl();
        return inner !== null;
      },
      () => 'the door inside the mesh',
    );
    const host = await scene.addressOf('control');
    const way = { from: { host, port: 443 }, to: inner ?? '', folder: folder.path };
    passage = await Passage.open(scene.lab.place('control'), way);
    await untilReached(scene.prober('git-1'), { host, port: 443 });
    const scope = { team: '*', surface: '*', environment: '*' };
    const expires = new Date(Date.now() + 86_400_000 / 2).toISOString();
    const token = await scene.client.call('tokens.create', {
      body: { name: 'acme', scope, role: 'operator', expires },
    });
    const own = createClient({ url: scene.mesh.url, token: token.body.secret });
    const { body: binding } = await own.call('acme.bind', {});
    await trustMesh();
    const webroot = inFolder('web/.well-known/acme-challenge');
    await mkdir(webroot, { recursive: true });
    setup = { directory: DIRECTORY, key_id: binding.key_id, key: binding.key, webroot };
  });
  after(async () => {
    await end(web);
    await passage?.[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
    assert.deepEqual(page.left, [], 'what of the page this test is to run, and does not');
  });

  /** Has programs on `git-1` trust the root as the page says, and find a name server that says at once that it is not there. */
  async function trustMesh(): Promise<void> {
    const { body: bundle } = await scene.client.call('ca.bundle', {});
    await writeFile(inFolder('meshwork.crt'), bundle);
    await writeFile(inFolder('resolv.conf'), 'nameserver 127.0.0.1\n');
    const folders = ['etc-letsencrypt', 'lib/letsencrypt', 'log/letsencrypt', 'lib/ca-certificates', 'certs', 'local'];
    for (const name of folders) await mkdir(inFolder(name), { recursive: true });
    const own: readonly Mount[] = [
      [inFolder('certs'), '/etc/ssl/certs'],
      [inFolder('resolv.conf'), '/etc/resolv.conf'],
      [inFolder('etc-letsencrypt'), '/etc/letsencrypt'],
      [inFolder('lib'), '/var/lib'],
      [inFolder('log'), '/var/log'],
    ];
    mounts = [...own, [inFolder('local'), '/usr/local/share/ca-certificates']];
    const [trust = ''] = page.blocks('Trusting the mesh from outside');
    await shell(trust);
    mounts = own;
  }

  /** In the folder of this test, on `git-1`. */
  const shell = (block: string, places: Readonly<Record<string, string>> = {}) =>
    run([
      'env',
      '-C',
      folder.path,
      `PATH=${inFolder('bin')}:${process.env.PATH}`,
      'sh',
      '-e',
      '-c',
      asRun(block, places),
    ]);

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
    web = scene.lab.node('git-1').spawn('nginx', ['-c', inFolder('nginx.conf')], { stdio: 'ignore' });
  }

  async function run(command: readonly string[]): Promise<string> {
    const [program, ...args] = mounted(mounts, ['env', `UACME_CHALLENGE_PATH=${setup?.webroot}`, ...command]);
    return await scene.lab.node('git-1').exec(program, args);
  }

  async function serialOf(chain: string): Promise<string> {
    const printed = await scene.lab.node('git-1').exec('openssl', ['x509', '-noout', '-serial'], { input: chain });
    return printed.trim().split('=')[1]?.toLowerCase() ?? '';
  }

  /** Rejects with what OpenSSL has against it now. */
  async function verify(chain: string): Promise<void> {
    const { body: lists } = await scene.client.call('ca.crl', {});
    await writeFile(inFolder('crl.pem'), lists);
    const checks = ['-x509_strict', '-crl_check_all', '-purpose', 'sslserver', '-CRLfile', inFolder('crl.pem')];
    const files = ['-CAfile', inFolder('meshwork.crt'), '-untrusted', chain, chain];
    await scene.lab.node('git-1').exec('openssl', ['verify', ...checks, ...files]);
  }

  /** `mesh` as a person runs it on `git-1`, with the token of the owner unless another is named. */
  async function installMesh(): Promise<void> {
    await writeFile(inFolder('owner-token'), scene.mesh.token, { mode: 0o600 });
    const set = [
      `export MESH_URL=${new URL(DIRECTORY).origin} NODE_EXTRA_CA_CERTS=${inFolder('meshwork.crt')}`,
      `export MESH_TOKEN="$(cat ${inFolder('owner-token')})"`,
    ];
    await mkdir(inFolder('bin'));
    const text = ['#!/bin/sh', ...set, `exec ${MESH_PROGRAM.join(' ')} "$@"`, ''].join('\n');
    await writeFile(inFolder('bin/mesh'), text, { mode: 0o755 });
  }

  test('certbot does what the page says', async () => {
    scene.mesh.beHostile(true);
    await installMesh();
    const [make = '', ini = '', certbot = '', accounts = ''] = page.blocks('ACME, with certbot and others');
    const bound = await shell(make);
    const fieldOf = (name: string) => new RegExp(`^${name} {2,}(.*)$`, 'm').exec(bound)?.[1] ?? '';
    assert.equal(fieldOf('directory'), DIRECTORY);
    const places = {
      'https://mesh.example.org/v1/acme/directory': fieldOf('directory'),
      token_01jcqv2m7xf1b8x0v4q6k3j9zt: fieldOf('key id'),
      'kQ3v9hT1xRzJ0yPq7mWc2sLd8uNf5aBg4eHk6iOj-Vw': fieldOf('key'),
    };
    await writeFile(inFolder('etc-letsencrypt/cli.ini'), asRun(ini, places), { mode: 0o600 });
    const [certonly = '', setDue = '', renew = ''] = linesOf(certbot, 3);
    await shell(certonly);
    const chain = inFolder('etc-letsencrypt/live/git-1.mesh/fullchain.pem');
    const first = await readFile(chain, 'utf8');
    await verify(chain);
    await shell(setDue);
    assert.match(await shell(renew), /No renewals were attempted/);
    assert.equal(await readFile(chain, 'utf8'), first);
    const renewal = inFolder('etc-letsencrypt/renewal/git-1.mesh.conf');
    await writeFile(renewal, (await readFile(renewal, 'utf8')).replace('= 10 days', '= 1000 days'));
    await shell(renew);
    assert.notEqual(await serialOf(await readFile(chain, 'utf8')), await serialOf(first));
    await verify(chain);
    const [list = '', deactivate = ''] = linesOf(accounts, 2);
    const [, account = ''] = /^(account_\w+) +valid +certbot on git-1 /m.exec(await shell(list)) ?? [];
    await shell(deactivate, { ACCOUNT: account });
    const { body } = await scene.client.call('acme.accounts', {});
    assert.deepEqual(
      body.items.map(({ id, state }) => [id, state]),
      [[account, 'deactivated']],
    );
  });

  for (const [place, name] of ACME_PROGRAMS.entries()) {
    test(`${name} gets, renews and revokes certificates for one name and for two`, async () => {
      const own: AcmeSetup = { ...setup, folder: inFolder(`client-${place}`) };
      const program = await prepared(name, own);
      scene.mesh.beHostile(program.takes_hostility);
      if (program.needs_web) await startWeb();
      const registered = program.register?.(own);
      if (registered !== undefined) await run(registered);
      for (const names of [['git-1.mesh'], ['api.git-1.mesh', 'git-1.mesh']]) {
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

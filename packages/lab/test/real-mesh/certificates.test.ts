/** Two nodes know each other by their certificates, with real nginx and real OpenSSL, until one is revoked. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { CertificateWithChain } from '@meshwork/contract';
import { nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { setGrants } from './grants.ts';
import { untilReached } from './reach.ts';

/** Each client certificate there is: that of the node, and one that was issued to a service. */
interface Identity {
  readonly cert: string;
  readonly key: string;
}

describe('nodes with certificates', () => {
  let scene: Scene;
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
  const servers: ChildProcess[] = [];
  let service: Identity & { readonly issued: CertificateWithChain };

  const tls = (node: string, file: string) =>
    join(nodeFolder(scene.lab.plan.name, node), 'state', 'tls', 'current', file);
  const own = (node: string): Identity => ({ cert: tls(node, 'cert.pem'), key: tls(node, 'key.pem') });
  const shared = (name: string) => join(folder.path, name);

  before(async () => {
    scene = await Scene.start({ nodes: [{ name: 'a' }, { name: 'b' }] });
    folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-mtls-'));
    await setGrants(scene, [{ from: 'a', to: 'b', allow: ['tcp:8443', 'tcp:8444'] }]);
    for (const node of ['a', 'b']) {
      for (const file of ['cert.pem', 'key.pem', 'ca.pem', 'crl.pem']) {
        const isThere = () =>
          readFile(tls(node, file), 'utf8').then(
            (text) => text !== '',
            () => false,
          );
        await until(isThere, () => `${file} of ${node}`);
      }
    }
    service = await issueForService();
    await startNginx();
    await startOpenssl();
  });
  after(async () => {
    for (const server of servers) await end(server);
    await folder?.[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
  });

  /** A certificate for a program on `a`, from a request that was made there. */
  async function issueForService(): Promise<typeof service> {
    const [key, cert, request] = [shared('service.key'), shared('service.pem'), shared('service.csr')];
    const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
    const names = ['-subj', '/', '-addext', 'subjectAltName=DNS:job.a.mesh'];
    await scene.lab
      .node('a')
      .exec('openssl', ['req', '-new', ...ec, '-nodes', '-keyout', key, ...names, '-out', request]);
    const body = { request: await readFile(request, 'utf8'), profile: 'client' } as const;
    const { body: issued } = await scene.client.call('ca.issue', { body });
    await writeFile(cert, issued.chain);
    return { key, cert, issued };
  }

  async function startNginx(): Promise<void> {
    const site = [
      'listen 8443 ssl;',
      `ssl_certificate ${tls('b', 'cert.pem')};`,
      `ssl_certificate_key ${tls('b', 'key.pem')};`,
      `ssl_client_certificate ${tls('b', 'ca.pem')};`,
      `ssl_crl ${tls('b', 'crl.pem')};`,
      'ssl_verify_client on;',
      'ssl_verify_depth 2;',
      'location / { return 200 "hello $ssl_client_s_dn\\n"; }',
    ];
    const text = [
      `user root; pid ${shared('nginx.pid')}; error_log ${shared('error.log')}; daemon off;`,
      'events {}',
      `http { access_log off; server { ${site.join('\n')} } }`,
    ];
    await writeFile(shared('nginx.conf'), text.join('\n'));
    servers.push(scene.lab.node('b').spawn('nginx', ['-c', shared('nginx.conf')], { stdio: 'ignore' }));
    await untilReached(scene.prober('a'), { host: await scene.addressOf('b'), port: 8443 });
  }

  async function startOpenssl(): Promise<ChildProcess> {
    const { cert, key } = own('b');
    // Its -CRL takes one list; a file with roots and lists takes all of them.
    const trust = shared('trust.pem');
    await writeFile(
      trust,
      (await readFile(tls('b', 'ca.pem'), 'utf8')) + (await readFile(tls('b', 'crl.pem'), 'utf8')),
    );
    const checks = ['-Verify', '2', '-verify_return_error', '-crl_check_all'];
    const files = ['-cert', cert, '-cert_chain', cert, '-key', key, '-CAfile', trust];
    const args = ['s_server', '-accept', '8444', '-quiet', ...files, ...checks];
    const server = scene.lab.node('b').spawn('openssl', args, { stdio: 'ignore' });
    servers.push(server);
    await untilReached(scene.prober('a'), { host: await scene.addressOf('b'), port: 8444 });
    return server;
  }

  async function end(server: ChildProcess): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  }

  /** What nginx on `b` answers to `a`: the status, and the body. */
  function ask(identity: Identity | undefined): Promise<string> {
    const shown = identity === undefined ? [] : ['--cert', identity.cert, '--key', identity.key];
    const args = ['--silent', '--show-error', '--cacert', tls('a', 'ca.pem'), ...shown];
    return scene.lab.node('a').exec('curl', [...args, '--write-out', '%{http_code}', 'https://b.mesh:8443/']);
  }

  /** Whether OpenSSL on `b` lets `a` in. A server that refuses says so after the client believes to be through. */
  async function isLetIn({ cert, key }: Identity): Promise<boolean> {
    const checks = ['-CAfile', tls('a', 'ca.pem'), '-verify_return_error', '-verify_hostname', 'b.mesh'];
    const args = ['s_client', '-connect', 'b.mesh:8444', ...checks, '-cert', cert, '-cert_chain', cert, '-key', key];
    const child = scene.lab.node('a').spawn('openssl', [...args, '-tls1_2'], { stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin?.end('Q\n'); // with TLS 1.2 the handshake ends with the server's word
    const [code] = (await once(child, 'exit')) as [number];
    return code === 0;
  }

  test('speak TLS in both directions, and nginx knows who asks', async () => {
    assert.equal(await ask(own('a')), 'hello CN=a.mesh\n200');
    assert.equal(await ask(service), 'hello CN=job.a.mesh\n200');
    assert.match(await ask(undefined), /400 No required SSL certificate was sent[\s\S]*400$/);
    assert.equal(await isLetIn(own('a')), true);
    assert.equal(await isLetIn(service), true);
  });

  test('refuse a revoked certificate, and no other', async () => {
    const before = await readFile(tls('b', 'crl.pem'), 'utf8');
    await scene.client.call('ca.revoke', { params: { id: service.issued.id }, body: { reason: 'key_compromise' } });
    await until(
      async () => (await readFile(tls('b', 'crl.pem'), 'utf8')) !== before,
      () => 'the new revocation list on b',
    );
    const [nginx, openssl] = servers;
    assert.ok(nginx && openssl);
    nginx.kill('SIGHUP'); // as the unit is reloaded
    await until(
      async () => /400 The SSL certificate error[\s\S]*400$/.test(await ask(service)),
      () => 'the refusal of nginx',
    );
    assert.equal(await ask(own('a')), 'hello CN=a.mesh\n200');
    await end(openssl);
    await startOpenssl();
    assert.equal(await isLetIn(service), false);
    assert.equal(await isLetIn(own('a')), true);
  });

  test('replace what another program did to their files', async () => {
    const { cert } = own('a');
    const text = await readFile(cert, 'utf8');
    await writeFile(cert, 'nonsense');
    await until(
      async () => (await readFile(cert, 'utf8')) === text,
      () => 'the certificate, put back',
    );
  });
});

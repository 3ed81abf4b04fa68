/** Two nodes know each other by their certificates, with real nginx and real OpenSSL, until one is revoked. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { CertificateWithChain } from '@meshwork/contract';
import type { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { end, TlsNodes } from './tls-nodes.ts';

/** Each client certificate there is: that of the node, and one that was issued to a service. */
interface Identity {
  readonly cert: string;
  readonly key: string;
}

describe('nodes with certificates', () => {
  let nodes: TlsNodes;
  let scene: Scene;
  let openssl: ChildProcess;
  let service: Identity & { readonly issued: CertificateWithChain };

  const tls = (node: string, file: string) => join(nodes.current(node), file);
  const own = (node: string): Identity => ({ cert: tls(node, 'cert.pem'), key: tls(node, 'key.pem') });

  before(async () => {
    nodes = await TlsNodes.start({ ports: ['tcp:8444'] });
    scene = nodes.scene;
    service = await issueForService();
    openssl = await startOpenssl();
  });
  after(() => nodes?.[Symbol.asyncDispose]());

  /** A certificate for a program on `a`, from a request that was made there. */
  async function issueForService(): Promise<typeof service> {
    const [key, cert, request] = [nodes.file('service.key'), nodes.file('service.pem'), nodes.file('service.csr')];
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

  async function startOpenssl(): Promise<ChildProcess> {
    const { cert, key } = own('b');
    // Its -CRL takes one list; a file with roots and lists takes all of them.
    const trust = nodes.file('trust.pem');
    await writeFile(
      trust,
      (await readFile(tls('b', 'ca.pem'), 'utf8')) + (await readFile(tls('b', 'crl.pem'), 'utf8')),
    );
    const checks = ['-Verify', '2', '-verify_return_error', '-crl_check_all'];
    const files = ['-cert', cert, '-cert_chain', cert, '-key', key, '-CAfile', trust];
    const args = ['s_server', '-accept', '8444', '-quiet', ...files, ...checks];
    return await nodes.serve('openssl', args, 8444);
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
    nodes.reloadNginx();
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

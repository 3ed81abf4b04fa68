/** Two nodes know each other by their certificates, with real nginx and real OpenSSL, until one is revoked. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseEnv } from 'node:util';
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
    await serveFiles();
    service = await issueForService();
    openssl = await startOpenssl();
  });
  after(async () => {
    await nodes?.[Symbol.asyncDispose]();
    assert.deepEqual(nodes?.page.left, [], 'what of the page this test is to run, and does not');
  });

  /** Has the agent of `git-1` share its files and reload nginx, as the page says. There is no systemd: what stands for it does that much. */
  async function serveFiles(): Promise<void> {
    const [settings = ''] = nodes.page.blocks('On a node');
    const reload = `[ "$*" = "try-reload-or-restart -- nginx.service" ] && exec kill -HUP "$(cat ${nodes.file('nginx.pid')})"`;
    await mkdir(nodes.file('bin'));
    await writeFile(nodes.file('bin/systemctl'), `#!/bin/sh\n${reload}\n`, { mode: 0o755 });
    process.setgroups?.([...(process.getgroups?.() ?? []), 'ssl-cert']); // SupplementaryGroups= of the unit
    const { agent } = scene.lab.node('git-1');
    await agent.stop();
    await agent.start({ ...parseEnv(settings), PATH: `${nodes.file('bin')}:${process.env.PATH}` });
    await until(
      async () => ((await stat(tls('git-1', 'key.pem'))).mode & 0o777) === 0o640,
      () => 'the key, shared with a group',
    );
  }

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
    const { cert, key } = own('git-1');
    // Its -CRL takes one list; a file with roots and lists takes all of them.
    const trust = nodes.file('trust.pem');
    await writeFile(
      trust,
      (await readFile(tls('git-1', 'ca.pem'), 'utf8')) + (await readFile(tls('git-1', 'crl.pem'), 'utf8')),
    );
    const checks = ['-Verify', '2', '-verify_return_error', '-crl_check_all'];
    const files = ['-cert', cert, '-cert_chain', cert, '-key', key, '-CAfile', trust];
    const args = ['s_server', '-accept', '8444', '-quiet', ...files, ...checks];
    return await nodes.serve('openssl', args, 8444);
  }

  /** What nginx on `git-1` answers to `a`: the status, and the body. */
  function ask(identity: Identity | undefined): Promise<string> {
    const shown = identity === undefined ? [] : ['--cert', identity.cert, '--key', identity.key];
    const args = ['--silent', '--show-error', '--cacert', tls('a', 'ca.pem'), ...shown];
    return scene.lab.node('a').exec('curl', [...args, '--write-out', '%{http_code}', 'https://git-1.mesh:8443/']);
  }

  /** Whether OpenSSL on `git-1` lets `a` in. A server that refuses says so after the client believes to be through. */
  async function isLetIn({ cert, key }: Identity): Promise<boolean> {
    const checks = ['-CAfile', tls('a', 'ca.pem'), '-verify_return_error', '-verify_hostname', 'git-1.mesh'];
    const args = [
      's_client',
      '-connect',
      'git-1.mesh:8444',
      ...checks,
      '-cert',
      cert,
      '-cert_chain',
      cert,
      '-key',
      key,
    ];
    const child = scene.lab.node('a').spawn('openssl', [...args, '-tls1_2'], { stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin?.end('Q\n'); // with TLS 1.2 the handshake ends with the server's word
    const [code] = (await once(child, 'exit')) as [number];
    return code === 0;
  }

  test('share their files with a group, and with no one else', async () => {
    const read = async (group: string) => {
      const who = ['setpriv', '--reuid=65534', '--regid=65534', `--groups=${group}`];
      const key = '/var/lib/mesh-agent/tls/current/key.pem';
      const [program, ...args] = nodes.asInstalled('git-1', [...who, 'cat', key]);
      return await scene.lab.node('git-1').exec(program, args);
    };
    assert.match(await read('ssl-cert'), /PRIVATE KEY/);
    await assert.rejects(read('nogroup'), /Permission denied/);
  });

  test('speak TLS in both directions, and nginx knows who asks', async () => {
    const [, curl = ''] = nodes.page.blocks('TLS in both directions with nginx');
    const [program, ...args] = nodes.asInstalled('a', ['sh', '-e', '-c', curl]);
    assert.equal(await scene.lab.node('a').exec(program, args), 'hello CN=a.mesh\n');
    assert.equal(await ask(service), 'hello CN=job.a.mesh\n200');
    assert.match(await ask(undefined), /400 No required SSL certificate was sent[\s\S]*400$/);
    assert.equal(await isLetIn(own('a')), true);
    assert.equal(await isLetIn(service), true);
  });

  test('refuse a revoked certificate, and no other', async () => {
    const before = await readFile(tls('git-1', 'crl.pem'), 'utf8');
    await scene.client.call('ca.revoke', { params: { id: service.issued.id }, body: { reason: 'key_compromise' } });
    await until(
      async () => (await readFile(tls('git-1', 'crl.pem'), 'utf8')) !== before,
      () => 'the new revocation list on git-1',
    );
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

/** Certificates that operators brought, in a real nginx: which one clients get, and what becomes of one that is replaced, broken or gone. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import type { AssignedCertificate } from '@meshwork/contract';
import { givenAuthority } from '@meshwork/pki/testing';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { newFolder } from '../../../test/new-folder.ts';
import { clientOn, type StreamService, streamService } from '../../../test/stream-service.ts';

const FULL_DISK_CHILD = join(import.meta.dirname, '../../../test/full-given-disk-child.ts');
const run = promisify(execFile);
const WWW = ['www-1.example.com', 'www-2.example.com', 'www-3.example.com'] as const;
const TURNS = 12;
type Authority = Awaited<ReturnType<typeof givenAuthority>>;

describe('given certificates on a gateway', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  let authority: Authority;
  let vault: StreamService;
  let vault_cert: string;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
    authority = await givenAuthority();
    const own = await scene.certificate(WWW[1]);
    vault_cert = own.cert;
    vault = await streamService('vault', { tls: own });
  });
  after(async () => {
    await scene[Symbol.asyncDispose]();
    await vault[Symbol.asyncDispose](); // which waits for connections that nginx holds
  });

  const id = (number: number) => `given_${String(number).padStart(26, '0')}`;
  const bring = async (
    number: number,
    names: readonly string[],
    key?: readonly string[],
  ): Promise<AssignedCertificate> => {
    const wanted = { names: names.map((name) => `DNS:${name}`), ...(key === undefined ? {} : { key }) };
    const { chain, private_key } = await authority.issue(wanted);
    return { id: id(number), chain, private_key };
  };
  const ingress = (number: number, given: number, more: object = {}) =>
    ingressOf(number, {
      routes: [routeOf({ targets: [web.target(1)] })],
      tls: { chain: null, given: id(given), redirect: false, ...more },
    });
  const serve = (section: readonly ReturnType<typeof ingressOf>[], given: readonly AssignedCertificate[]) =>
    scene.server.serve({ section, ca: undefined, given: [...given] });
  const observed = (number: number) => scene.server.observed().find((one) => one.id === ingressId(number));
  const shown = async (hostname: string) => {
    const { fingerprint256 } = await scene.shownTo(hostname);
    return fingerprint256.replaceAll(':', '').toLowerCase();
  };
  const shownByVault = async () => {
    const socket = connect({
      host: '127.0.0.1',
      port: scene.https_port,
      servername: WWW[1],
      rejectUnauthorized: false,
    });
    assert.equal(await clientOn(socket).say('x'), 'vault:x');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  const fileOf = (number: number) => join(scene.path, 'tls', `${ingressId(number)}.pem`);
  /** As a client that believes the authority, and no other. */
  const ask = async (hostname: string) => {
    const to = { host: '127.0.0.1', port: scene.https_port, servername: hostname, ca: authority.root.certificate };
    const sent = request({ ...to, headers: { host: hostname }, agent: false });
    sent.end();
    const [response] = await once(sent, 'response');
    const { fingerprint256 } = (response.socket as TLSSocket).getPeerCertificate();
    await response.resume().toArray();
    return { status: response.statusCode as number, fingerprint: fingerprint256.replaceAll(':', '').toLowerCase() };
  };

  it('are shown by host name, one for several of them, of every kind of key, and their own gateway says which', async () => {
    const one = await bring(1, [WWW[0]], ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048']);
    const wildcard = await bring(2, ['*.example.com']);
    const own = await scene.certificate('www-4.example.com');
    const mesh = ingressOf(4, {
      routes: [routeOf({ targets: [web.target(1)] })],
      tls: { chain: own.chain, redirect: false },
    });
    await serve([ingress(1, 1), ingress(2, 2), ingress(3, 2), mesh], [one, wildcard]);
    const found = await Promise.all(WWW.map(shown));
    assert.equal(new Set(found).size, 2);
    assert.deepEqual(
      WWW.map((_, index) => observed(index + 1)?.certificate),
      found,
    );
    assert.deepEqual([observed(4)?.certificate, observed(4)?.problem], [undefined, undefined], 'of the mesh CA');
    for (const name of WWW) assert.equal((await ask(name)).status, 200, 'with the chain that clients need');
    assert.equal(((await stat(fileOf(1))).mode & 0o777).toString(8), '640');
    await serve([ingress(1, 3)], [await bring(3, [WWW[0]], ['-algorithm', 'ED25519'])]);
    assert.equal(observed(1)?.certificate, await shown(WWW[0]));
  });

  it('are replaced under load without a reload and without a request that fails', async () => {
    await serve([ingress(1, 1)], [await bring(1, [WWW[0]])]);
    const workers = await scene.workers();
    let latest = '';
    let over = false;
    const failed: unknown[] = [];
    const load = Array.from({ length: 4 }, async () => {
      while (!over) {
        try {
          const { status, fingerprint } = await ask(WWW[0]);
          assert.equal(status, 200);
          latest = fingerprint;
        } catch (error) {
          failed.push(error);
        }
      }
    });
    const [one, other] = [await bring(1, [WWW[0]]), await bring(1, [WWW[0]])];
    const brought = new Set<string>();
    for (let time = 0; time < TURNS; time += 1) {
      await serve([ingress(1, 1)], [time % 2 === 0 ? one : other]);
      const now = observed(1)?.certificate ?? '';
      brought.add(now);
      while (latest !== now && failed.length === 0) await pause(1); // each of them reaches clients
    }
    over = true;
    await Promise.all(load);
    assert.deepEqual(failed, []);
    assert.equal(brought.size, 2);
    assert.deepEqual(await scene.workers(), workers);
  });

  it('are shown by their names beside TLS that is passed through, and to proxies', async () => {
    const through = ingressOf(2, {
      kind: 'tls',
      routes: [routeOf({ protocol: 'tcp', check: { kind: 'none' }, targets: [vault.target(2)] })],
    });
    const proxies = { networks: ['192.0.2.0/24'], header: 'X-Forwarded-For' };
    const behind = { ...ingress(3, 3), proxies };
    const given = [await bring(1, [WWW[0]]), await bring(3, [WWW[2]])];
    await serve([ingress(1, 1), through, behind], given);
    const [first, third] = [await shown(WWW[0]), await shown(WWW[2])];
    assert.deepEqual([observed(1)?.certificate, observed(3)?.certificate], [first, third]);
    assert.equal(await shownByVault(), new X509Certificate(vault_cert).fingerprint256);
    await serve([ingress(1, 1), behind], given);
    assert.deepEqual([observed(1)?.certificate, observed(3)?.certificate], [first, third]);
    assert.deepEqual([observed(1)?.problem, observed(3)?.problem], [undefined, undefined]);
  });

  it('are taken up by clients that resume a session of before', async () => {
    await serve([ingress(1, 1)], [await bring(1, [WWW[0]])]);
    const to = { host: '127.0.0.1', port: scene.https_port, servername: WWW[0], ca: authority.root.certificate };
    const first = connect({ ...to, maxVersion: 'TLSv1.2' });
    const [session] = await once(first, 'session');
    first.destroy();
    await serve([ingress(1, 1)], [await bring(1, [WWW[0]])]);
    const second = connect({ ...to, maxVersion: 'TLSv1.2', session });
    await once(second, 'secureConnect');
    second.destroy();
    assert.equal((await ask(WWW[0])).fingerprint, observed(1)?.certificate);
  });

  it('that nginx could not use leave the last good one, also after the agent was started anew', async () => {
    const good = await bring(1, [WWW[0]]);
    await serve([ingress(1, 1)], [good]);
    const last = await shown(WWW[0]);
    const other = await bring(1, [WWW[0]]);
    const broken: readonly (readonly [AssignedCertificate, RegExp])[] = [
      [
        { ...other, private_key: good.private_key },
        /its key is for another certificate; clients get the one from before/,
      ],
      [{ ...other, chain: 'no chain' }, /cannot be read; clients get the one from before/],
      [{ ...other, private_key: 'no key' }, /cannot be read; clients get the one from before/],
    ];
    for (const [given, words] of broken) {
      await serve([ingress(1, 1)], [given]);
      assert.equal(await shown(WWW[0]), last);
      assert.match(observed(1)?.problem ?? '', words);
      assert.match(scene.server.givenProblem ?? '', /cannot be used/);
      assert.equal(observed(1)?.certificate, last);
    }
    const anew = scene.another().server;
    await anew.serve({ section: [ingress(1, 1)], ca: undefined, given: broken.map(([given]) => given).slice(0, 1) });
    assert.equal(await shown(WWW[0]), last);
    assert.match(anew.observed()[0]?.problem ?? '', /clients get the one from before/);
    await anew.serve({ section: [ingress(1, 1)], ca: undefined, given: [other] });
    assert.deepEqual([anew.observed()[0]?.problem, anew.givenProblem], [undefined, undefined]);
    assert.notEqual(await shown(WWW[0]), last);
    await serve([ingress(1, 1)], [other]);
  });

  it('that nginx takes and cannot show are taken back', async () => {
    await serve([ingress(1, 1)], [await bring(1, [WWW[0]])]);
    const last = await shown(WWW[0]);
    // OpenSSL as Debian has it shows no certificate with so short a key.
    const weak = await bring(1, [WWW[0]], ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024']);
    await serve([ingress(1, 1)], [weak]);
    assert.equal(await shown(WWW[0]), last);
    assert.match(observed(1)?.problem ?? '', /nginx cannot show the certificate that was brought for it/);
    assert.equal(observed(1)?.certificate, last);
    assert.equal(await scene.server.fault(), null, 'what was taken back is what is wanted now');
  });

  it('stay when the disk is full or the folder cannot be written, and the next try takes the new one', async () => {
    await using disk = await newFolder();
    const args = ['--mount', '--propagation', 'private', process.execPath, FULL_DISK_CHILD, disk.path];
    const { stdout } = await run('unshare', args);
    assert.deepEqual(stdout.trim().split('\n'), [
      'full: cannot be written: the disk is full.',
      'the same certificate as before',
      'read-only: cannot be written: the file system is read-only.',
      'the same certificate as before',
      'the new one, once there is room, and nothing beside it',
    ]);
  });

  it('are forgotten with their keys where no ingress shows them any more', async () => {
    const given = await bring(1, [WWW[0]]);
    await serve([ingress(1, 1), ingress(2, 2)], [given, await bring(2, [WWW[1]])]);
    const middle = given.private_key.split('\n')[1] ?? '';
    assert.ok((await readFile(fileOf(1), 'utf8')).includes(middle));
    await serve(
      [ingress(1, 1, {}), ingress(2, 2)].map((one, index) => (index === 0 ? { ...one, tls: null } : one)),
      [await bring(2, [WWW[1]])],
    );
    assert.deepEqual(await readdir(join(scene.path, 'tls')), [`${ingressId(2)}.pem`]);
    const everything = await run('grep', ['-rlF', '--', middle, scene.path]).catch(({ stdout }) => ({ stdout }));
    assert.equal(everything.stdout, '');
    await serve([ingress(2, 2)], []);
    assert.match(observed(2)?.problem ?? '', /the certificate that was brought for it is not here/);
    assert.deepEqual(
      await readdir(join(scene.path, 'tls')),
      [],
      'one that was not sent is not kept as the last good one',
    );
  });

  it('are not in what an agent says of itself', async () => {
    const given = await bring(1, [WWW[0]]);
    await serve([ingress(1, 1)], [{ ...given, private_key: given.private_key.replace('MIG', 'XXX') }]);
    const middle = given.private_key.split('\n')[1]?.slice(10, 50) ?? '';
    const said = JSON.stringify([scene.server.observed(), await scene.server.diagnose(), scene.server.givenProblem]);
    assert.ok(!said.includes(middle) && !said.includes('PRIVATE KEY'));
  });
});

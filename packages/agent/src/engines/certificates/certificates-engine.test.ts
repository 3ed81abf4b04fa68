import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { makeRequest } from '@meshwork/pki/request';
import { ASKED, Certification } from '../../../test/certification.ts';
import { type CertifiedNode, certifiedNode, requestOf } from '../../../test/certified-node.ts';
import { runCommand } from '../../host/run-command.ts';
import { certificates } from './engine.ts';

describe('the certificate of a node', () => {
  const mesh = new Certification();
  let node: CertifiedNode;
  beforeEach(() => {
    node = mesh.node;
  });
  const waiting = { chain: null, request: false };

  const inEffect = (section: 'trust' | 'certificate') => ({
    revision: node.view.revisionOf(section),
    digest: node.view.digestOf(section),
  });
  /** What the private key and the certificate say of their public keys. */
  const publicKeys = async () => {
    const at = (name: string) => join(node.tls, 'current', name);
    const of = async (...args: string[]) => (await runCommand('openssl', args)).trim();
    return [
      await of('pkey', '-in', at('key.pem'), '-pubout'),
      await of('x509', '-in', at('cert.pem'), '-pubkey', '-noout'),
    ];
  };

  it('is requested when the coordinator asks, and in use with its key once it is there', async () => {
    await node.tell({ trust: mesh.trust, certificate: ASKED });
    const request = requestOf(node);
    await writeFile(join(mesh.folder, 'request.pem'), request);
    await runCommand('openssl', ['req', '-in', join(mesh.folder, 'request.pem'), '-verify', '-noout']);
    assert.deepEqual(await node.files(), ['ca.pem', 'crl.pem']);
    assert.deepEqual(node.applied, { trust: inEffect('trust'), certificate: inEffect('certificate') });

    await node.tell({ certificate: waiting });
    assert.equal(node.request(), request, 'until its certificate is there');
    const chain = await mesh.ca.sign(request);
    await node.tell({ certificate: { chain, request: false } });
    assert.deepEqual(node.applied, { trust: inEffect('trust'), certificate: inEffect('certificate') });
    assert.deepEqual(await node.files(), ['ca.pem', 'cert.pem', 'crl.pem', 'key.pem']);
    assert.equal(await node.file('cert.pem'), chain);
    assert.equal(await node.file('ca.pem'), mesh.ca.root);
    assert.equal(await node.file('crl.pem'), mesh.crl);
    const [of_key, of_certificate] = await publicKeys();
    assert.equal(of_key, of_certificate);
    const at = (name: string) => join(node.tls, 'current', name);
    await runCommand('openssl', ['verify', '-CAfile', at('ca.pem'), '-untrusted', at('cert.pem'), at('cert.pem')]);
    assert.equal(node.request(), undefined);
    assert.deepEqual(await node.mend(), []);
  });

  it('is requested at once: the data plane says that there is something to report', async () => {
    await node.tell({ certificate: waiting });
    assert.deepEqual(node.changes, []);
    await node.tell({ certificate: ASKED });
    assert.deepEqual(node.changes, [[]]);
  });

  it('is root’s alone', async () => {
    await mesh.certify();
    const modes = async (...names: string[]) =>
      Promise.all(names.map(async (name) => ((await stat(join(node.tls, name))).mode & 0o7777).toString(8)));
    assert.deepEqual(await modes('..', '.', 'current', 'current/key.pem', 'current/cert.pem', '../run'), [
      '700',
      '700',
      '700',
      '600',
      '600',
      '700',
    ]);
    const keys = await stat(join(mesh.folder, 'run/certificate-keys.json'));
    assert.equal((keys.mode & 0o777).toString(8), '600');
  });

  it('stays in use until the one of its renewal is there', async () => {
    await mesh.certify();
    const before = [await node.file('key.pem'), await node.file('cert.pem')];
    await node.tell({ certificate: { chain: before[1] ?? '', request: true } });
    assert.deepEqual([await node.file('key.pem'), await node.file('cert.pem')], before);
    await node.tell({ certificate: { chain: before[1] ?? '', request: false } });
    assert.deepEqual([await node.file('key.pem'), await node.file('cert.pem')], before);
    const chain = await mesh.ca.sign(requestOf(node));
    await node.tell({ certificate: { chain, request: false } });
    assert.equal(await node.file('cert.pem'), chain);
    assert.notEqual(await node.file('key.pem'), before[0], 'every certificate has a key of its own');
    assert.equal(node.request(), undefined);
  });

  it('is requested again with the same key after a restart, and its certificate is taken then', async () => {
    await node.tell({ trust: mesh.trust, certificate: ASKED });
    await node.tell({ certificate: waiting });
    const request = requestOf(node);
    node = await certifiedNode(mesh.folder, {}, node.saved());
    assert.equal(node.request(), request);
    await node.tell({ certificate: { chain: await mesh.ca.sign(request), request: false } });
    assert.equal(node.applied.certificate?.error, undefined);
    const [of_key, of_certificate] = await publicKeys();
    assert.equal(of_key, of_certificate);
  });

  it('is requested once, also when an agent is started again before the coordinator has the request', async () => {
    await node.tell({ certificate: ASKED });
    const request = requestOf(node);
    node = await certifiedNode(mesh.folder, {}, node.saved());
    assert.equal(node.request(), request);
  });

  it('is requested anew when the coordinator asks again, and a certificate of either key is taken', async () => {
    await node.tell({ trust: mesh.trust, certificate: ASKED });
    const first = requestOf(node);
    await node.tell({ certificate: waiting });
    await node.tell({ certificate: ASKED });
    const second = requestOf(node);
    assert.notEqual(second, first, 'the same one again would count as received');
    await node.tell({ certificate: { chain: await mesh.ca.sign(first), request: false } });
    assert.equal(node.applied.certificate?.error, undefined);
    assert.equal(node.request(), second);
    await node.tell({ certificate: { chain: await mesh.ca.sign(second), request: false } });
    assert.equal(node.applied.certificate?.error, undefined);
    assert.equal(node.request(), undefined);
  });

  it('is refused when it is of a foreign key: the old one stays, and one request for another is made', async () => {
    await mesh.certify();
    const [key, cert] = [await node.file('key.pem'), await node.file('cert.pem')];
    const before = node.applied.certificate;
    const foreign = await mesh.ca.sign((await makeRequest()).request);
    node.changes.length = 0;
    await node.tell({ certificate: { chain: foreign, request: false } });
    const { serialNumber } = new X509Certificate(foreign);
    assert.deepEqual(node.applied.certificate, {
      ...before,
      error: `certificate ${serialNumber} is for a key that this node does not have: a request for another one is on its way`,
    });
    assert.deepEqual([await node.file('key.pem'), await node.file('cert.pem')], [key, cert]);
    const request = requestOf(node);
    assert.deepEqual(node.changes, [[]]);
    await node.again();
    assert.equal(node.request(), request, 'not one for each attempt');
    node = await certifiedNode(mesh.folder, {}, { ...node.saved(), certificate: { chain: foreign, request: false } });
    assert.equal(node.request(), request, 'nor for each start');
    await node.tell({ certificate: { chain: await mesh.ca.sign(request), request: false } });
    assert.deepEqual(node.applied.certificate, inEffect('certificate'));
    assert.notEqual(await node.file('key.pem'), key);
  });

  it('is refused when it is foreign, with a request besides the one that a coordinator before it had', async () => {
    await mesh.certify();
    await node.tell({ certificate: { chain: await node.file('cert.pem'), request: true } });
    const lost = requestOf(node);
    await node.tell({ certificate: { chain: await mesh.ca.sign((await makeRequest()).request), request: false } });
    assert.notEqual(requestOf(node), lost);
  });

  it('is gone with its keys when the node may have none, and so is the request for one', async () => {
    await mesh.certify();
    await node.tell({ certificate: { chain: await node.file('cert.pem'), request: true } });
    await node.tell({ certificate: null });
    assert.deepEqual(await node.files(), ['ca.pem', 'crl.pem']);
    assert.equal(node.request(), undefined);
    assert.deepEqual(node.applied.certificate, inEffect('certificate'));
    assert.doesNotMatch(await allText(mesh.folder), /PRIVATE KEY/, 'also not in what was in use before');
    await node.tell({ trust: null });
    assert.deepEqual(await readdir(node.tls), [], 'nothing is left to lead to');
    assert.equal(await node.engine.drift(), null);
  });

  it('is gone when it is withdrawn, and a request for another one is kept', async () => {
    await mesh.certify();
    await node.tell({ certificate: ASKED });
    const request = requestOf(node);
    assert.deepEqual(await node.files(), ['ca.pem', 'crl.pem']);
    await node.tell({ certificate: waiting });
    assert.equal(node.request(), request);
    await node.tell({ certificate: { chain: await mesh.ca.sign(request), request: false } });
    assert.equal(node.applied.certificate?.error, undefined);
  });

  it('goes on with the key in use when an agent finds what it remembers damaged', async () => {
    await mesh.certify();
    const chain = await node.file('cert.pem');
    await writeFile(join(mesh.folder, 'run/certificate-keys.json'), '{"version":1,"earlier":', { mode: 0o600 });
    node = await certifiedNode(mesh.folder, {}, node.saved());
    assert.match(node.warnings.join(), /certificate-keys\.json cannot be used, and is set aside/);
    await node.tell({ certificate: { chain, request: false } });
    assert.deepEqual([node.applied.certificate?.error, node.request()], [undefined, undefined]);
  });

  it('says when it expires, and what it is, without a secret', async () => {
    assert.equal(node.plane.health.certificate_ends_ms, undefined);
    await node.tell({ trust: mesh.trust, certificate: ASKED });
    const ends = new Date('2031-05-06T07:08:09Z');
    const chain = await mesh.ca.sign(requestOf(node), ends);
    await node.tell({ certificate: { chain, request: true } });
    assert.equal(node.plane.health.certificate_ends_ms, ends.getTime());
    const diagnosis = await node.plane.diagnose();
    assert.deepEqual(JSON.parse(diagnosis).certificates, {
      serial: new X509Certificate(chain).serialNumber,
      names: ['DNS:git-1.mesh', 'IP Address:100.64.0.7'],
      not_after: '2031-05-06T07:08:09.000Z',
      request_pending: true,
      generations: 2,
      reloads: {},
    });
    assert.doesNotMatch(diagnosis, /PRIVATE/);
  });

  it('is removed with everything that agents made of it', async () => {
    await mesh.certify();
    await certificates.remove(join(mesh.folder, 'run'));
    assert.deepEqual(await readdir(mesh.folder), ['run']);
    assert.deepEqual(await readdir(join(mesh.folder, 'run')), []);
  });
});

/** Of all files below a folder. */
async function allText(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}

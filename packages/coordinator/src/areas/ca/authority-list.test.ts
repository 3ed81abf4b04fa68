import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AnswerOf, Certificate, CertificateWithChain, Operations, Problem } from '@meshwork/contract';
import { makeRequest } from '@meshwork/pki/request';
import { openssl, requestOf, verifyChain } from '@meshwork/pki/testing';
import { TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

describe('the revocation list of an authority', { timeout: 120_000 }, () => {
  let mesh: TestCoordinator;
  let node: TestNode;

  before(async () => {
    mesh = await TestCoordinator.startWithAuthorities();
    mesh.owner = (await mesh.token({ role: 'owner', days: 300 })).secret;
    node = await TestNode.enroll(mesh, { name: 'git-1' });
    await node.beat({ report: { abilities: EVERYTHING } });
  });
  after(() => mesh.close());

  const show = async () => (await mesh.ask<AnswerOf<Operations['ca.show']>>('GET', '/v1/ca')).body;
  const bytes = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { headers });
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  };
  const point = (url: string | null) =>
    mesh.ask<Problem>('PATCH', '/v1/settings', { body: { ca: { distribution_url: url } } });
  const issue = async () => {
    const request = await requestOf({ extensions: ['subjectAltName=DNS:git-1.mesh'] });
    return (await mesh.ask<CertificateWithChain>('POST', '/v1/ca/certificates', { body: { request } })).body;
  };
  /** The addresses that OpenSSL prints of a certificate in PEM. */
  const addressesIn = async (pem: string) => {
    const shown = await openssl(['x509', '-in', 'c.pem', '-noout', '-ext', 'crlDistributionPoints'], { 'c.pem': pem });
    return [...shown.matchAll(/URI:(\S+)/g)].map(([, url = '']) => url);
  };
  const pemOfDer = (der: Buffer) =>
    openssl(['crl', '-inform', 'DER', '-in', 'list.crl', '-outform', 'PEM'], { 'list.crl': der });

  it('is DER, or PEM for those who ask for it, by id and by serial number', async () => {
    const { authorities } = await show();
    const all = (await mesh.ask('GET', '/v1/ca/crl', { token: null })).text;
    for (const { id, serial } of authorities) {
      const der = await bytes(`${mesh.url}/v1/ca/crl/${serial}`);
      assert.deepEqual([der.status, der.headers.get('content-type')], [200, 'application/pkix-crl']);
      const pem = await bytes(`${mesh.url}/v1/ca/crl/${id}`, { accept: 'application/x-pem-file' });
      assert.equal(pem.headers.get('content-type'), 'application/x-pem-file');
      assert.match(pem.body.toString(), /^-----BEGIN X509 CRL-----\n/);
      assert.ok(all.includes(pem.body.toString()));
      assert.equal(await pemOfDer(der.body), pem.body.toString());
      const preferred = 'application/pkix-crl, application/x-pem-file;q=0.5';
      assert.deepEqual((await bytes(`${mesh.url}/v1/ca/crl/${serial}`, { accept: preferred })).body, der.body);
    }
  });

  it('can be kept by caches until it changes, for minutes', async () => {
    const url = `${mesh.url}/v1/ca/crl/${(await show()).authorities[1]?.serial}`;
    const { headers } = await bytes(url);
    assert.deepEqual([headers.get('cache-control'), headers.get('vary')], ['public, max-age=300', 'accept']);
    const etag = headers.get('etag') ?? '';
    const again = await bytes(url, { 'if-none-match': etag });
    assert.deepEqual([again.status, again.body.length], [304, 0]);
    const pem = await bytes(url, { 'if-none-match': etag, accept: 'application/x-pem-file' });
    assert.equal(pem.status, 200);
    await mesh.ask('POST', '/v1/ca/revoke', { body: { serial: '5eadbeef5eadbeef' } });
    await mesh.until(async () => (await bytes(url, { 'if-none-match': etag })).status === 200);
  });

  it('is not found for an authority that is not there', async () => {
    for (const asked of ['5c1f8e0b7a3d4c22b9101f0c2a7e6d05', 'authority_01jcqv6p0ee3xv9k7d0w8m2b4n', 'constructor']) {
      const got = await mesh.ask('GET', `/v1/ca/crl/${asked}`, { token: null });
      assert.deepEqual([got.status, got.body.code], [404, 'not_found']);
    }
  });

  it('is at an address that is a plain one', async () => {
    const odd = [
      'ftp://mesh.example.org',
      'http://user:secret@mesh.example.org',
      'http://mesh.example.org/?a=1',
      'http://mesh.example.org/#a',
      'http://MESH.example.org',
      'http://mésh.example.org',
      'http://',
      'mesh.example.org',
      '',
    ];
    for (const url of odd) {
      const got = await point(url);
      assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, '/ca/distribution_url'], url);
    }
    for (const url of ['https://mesh.example.org/ca/', 'http://[2001:db8::7]:7400', null]) {
      assert.equal((await point(url)).status, 200, String(url));
    }
  });

  it('is where certificates say that were issued since the setting was made, and OpenSSL gets it there', async () => {
    assert.deepEqual(await addressesIn((await issue()).chain), []);
    await point(mesh.url);
    const rotated = await mesh.ask('POST', '/v1/ca/rotate', { body: { what: 'root' } });
    assert.equal(rotated.status, 200, rotated.text);
    await mesh.until(async () => {
      await node.beat();
      await node.beat({ applied: node.applied() });
      return (await show()).rotation?.switched_at !== null;
    });
    const issued = await issue();
    const [leaf = '', above = ''] = issued.chain.split(/(?<=-----END CERTIFICATE-----\n)/);
    const { authorities } = await show();
    const active = authorities.filter(({ state }) => state === 'active');
    const [list = '', listAbove = ''] = [...(await addressesIn(leaf)), ...(await addressesIn(above))];
    assert.deepEqual(
      [listAbove, list],
      active.map(({ serial }) => `${mesh.url}/v1/ca/crl/${serial}`),
    );
    const roots = (await mesh.ask('GET', '/v1/ca/bundle', { token: null })).text;
    const download = async () =>
      (await Promise.all([list, listAbove].map(async (url) => pemOfDer((await bytes(url)).body)))).join('');
    await verifyChain({ roots, chain: issued.chain, revocation_lists: await download(), at_ms: mesh.clock.now() });
    const before = (await bytes(list)).headers.get('etag') ?? '';
    await mesh.ask('POST', `/v1/ca/certificates/${issued.id}/revoke`, { body: { reason: 'key_compromise' } });
    await mesh.until(async () => (await bytes(list, { 'if-none-match': before })).status === 200);
    const revoked = verifyChain({
      roots,
      chain: issued.chain,
      revocation_lists: await download(),
      at_ms: mesh.clock.now(),
    });
    await assert.rejects(revoked, /certificate revoked/);
    /** OpenSSL follows the address by itself. */
    const downloading = (chain: string) => {
      const at = ['-attime', String(Math.floor(mesh.clock.now() / 1000))];
      const args = ['verify', '-crl_check', '-crl_download', ...at, '-CAfile', 'ca.pem', '-untrusted', 'chain.pem'];
      return openssl([...args, 'chain.pem'], { 'ca.pem': roots, 'chain.pem': chain });
    };
    await assert.rejects(downloading(issued.chain), /certificate revoked/);
    await downloading((await issue()).chain);
  });

  it('is where the certificates of nodes say', async () => {
    await mesh.until(async () => {
      await node.beat();
      if (node.held.certificate?.request !== true) return typeof node.held.certificate?.chain === 'string';
      await node.beat({ report: { certificate_request: (await makeRequest()).request } });
      return false;
    });
    const path = `/v1/ca/certificates?node=${node.id}&profile=node`;
    const [certificate] = (await mesh.ask<{ items: Certificate[] }>('GET', path)).body.items;
    const issuer = (await show()).authorities.find(({ id }) => id === certificate?.issuer);
    assert.deepEqual(await addressesIn(node.held.certificate?.chain ?? ''), [
      `${mesh.url}/v1/ca/crl/${issuer?.serial}`,
    ]);
  });
});

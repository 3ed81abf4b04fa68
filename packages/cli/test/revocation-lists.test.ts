import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { exampleServer } from './example-server.ts';
import { mesh, tempFolder } from './run-mesh.ts';

const DER = Buffer.from([0x30, 0x82, 0x00, 0xff, 0x0a, 0x80]);
const PEM = `-----BEGIN X509 CRL-----\n${DER.toString('base64')}\n-----END X509 CRL-----\n`;

describe('mesh ca crl', () => {
  const served = async () => {
    const pem = { 'content-type': 'application/x-pem-file' };
    return await exampleServer({
      'ca.crl': (response) => response.writeHead(200, pem).end(PEM + PEM),
      'ca.authority_crl': (response) => response.writeHead(200, pem).end(PEM),
    });
  };

  it('prints every list, or that of one authority, in PEM', async () => {
    await using server = await served();
    const env = { MESH_URL: server.url, MESH_TOKEN: 'mesh_test-token' };
    assert.equal((await mesh(['ca', 'crl'], { env })).stdout, PEM + PEM);
    assert.equal((await mesh(['ca', 'crl', '5c1f'], { env })).stdout, PEM);
    const { url, headers } = server.seen.at(-1) ?? {};
    assert.deepEqual([url, headers?.accept], ['/v1/ca/crl/5c1f', 'application/x-pem-file']);
  });

  it('writes one in DER to a file, which others can read', async () => {
    await using server = await served();
    await using folder = await tempFolder();
    const env = { MESH_URL: server.url, MESH_TOKEN: 'mesh_test-token' };
    const file = join(folder.path, 'list.crl');
    for (let times = 0; times < 2; times++) {
      const { code, stdout } = await mesh(['ca', 'crl', '5c1f', '--format', 'der', '--output', file], { env });
      assert.deepEqual([code, stdout], [0, '']);
      assert.deepEqual(await readFile(file), DER);
    }
    assert.equal((await stat(file)).mode & 0o777, 0o644);
  });

  it('refuses DER of several lists before it asks for any', async () => {
    await using server = await served();
    const env = { MESH_URL: server.url, MESH_TOKEN: 'mesh_test-token' };
    const { code, stderr } = await mesh(['ca', 'crl', '--format', 'der'], { env });
    assert.equal(code, 2);
    assert.match(stderr, /DER holds one list: name the authority/);
    assert.equal(server.seen.length, 0);
  });
});

import assert from 'node:assert/strict';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { it } from 'node:test';
import { makeRequest } from '@meshwork/pki/request';
import { TestCoordinator } from '../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../test/test-node.ts';

/** What a program in the mesh gets that trusts nothing but the mesh. */
function ask(url: string, ca: string): Promise<{ status: number; text: string; serial: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string; serial: string }>();
  const options = { ca, servername: 'control.mesh', agent: false };
  const asked = request(`${url}/v1/acme/directory`, options, async (response) => {
    const { serialNumber } = (response.socket as import('node:tls').TLSSocket).getPeerCertificate();
    const text = (await response.toArray()).join('');
    resolve({ status: response.statusCode ?? 0, text, serial: serialNumber });
  });
  asked.once('error', reject);
  asked.end();
  return promise;
}

it('the door inside the mesh opens when the agent has a certificate, and takes up its next one', async () => {
  const mesh = await TestCoordinator.startWithAuthorities();
  try {
    // Valid by the clock of this machine, as TLS needs it.
    const tls = join(mesh.folder, 'tls');
    await mkdir(tls);
    await mesh.down();
    Object.assign(mesh.env, { MESH_INNER_LISTEN: '127.0.0.1:0', MESH_INNER_TLS: join(tls, 'current') });
    const running = await mesh.up({ inner_looks_every_ms: 20 });
    assert.equal(running.inner_url(), null, 'there is no certificate yet');

    const node = await TestNode.enroll(mesh, { name: 'control' });
    let count = 0;
    const certify = async () => {
      const { request: asked, private_key } = await makeRequest();
      await node.beat({ report: { abilities: EVERYTHING, certificate_request: asked } });
      const before = node.held.certificate?.chain;
      await mesh.until(async () => {
        await node.beat();
        const { chain } = node.held.certificate ?? {};
        return chain !== null && chain !== undefined && chain !== before;
      });
      const folder = `${++count}`;
      await mkdir(join(tls, folder));
      await writeFile(join(tls, folder, 'cert.pem'), node.held.certificate?.chain ?? '');
      await writeFile(join(tls, folder, 'key.pem'), private_key);
      await symlink(folder, join(tls, 'next'));
      await rename(join(tls, 'next'), join(tls, 'current'));
    };
    await certify();
    await mesh.until(async () => running.inner_url() !== null);
    const url = running.inner_url() ?? '';
    assert.match(url, /^https:\/\/127\.0\.0\.1:/);
    const roots = (await mesh.ask('GET', '/v1/ca/bundle')).text;
    const first = await ask(url, roots);
    assert.equal(first.status, 200);
    assert.equal((JSON.parse(first.text) as { newNonce: string }).newNonce, `${url}/v1/acme/new-nonce`);
    mesh.clock.advance(60);
    await node.prove();
    await certify();
    await mesh.until(async () => (await ask(url, roots)).serial !== first.serial);
    assert.equal(running.inner_url(), url, 'it stayed where it is');
  } finally {
    await mesh.close();
  }
});

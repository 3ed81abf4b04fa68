import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry, Certificate } from '@meshwork/contract';
import { openssl } from '@meshwork/pki/testing';
import { type AcmeBody, AcmeClient, derText, newKey } from '../../../test/acme-client.ts';
import { AcmeScene, errorOf, requestFor } from '../../../test/acme-scene.ts';

describe('certificates of ACME clients', { timeout: 300_000 }, () => {
  let scene: AcmeScene;
  before(async () => {
    scene = await AcmeScene.start();
  });
  after(() => scene.close());

  describe('a certificate', () => {
    it('is revoked by its account, by its key, or by one that has proven its names', async () => {
      const client = await AcmeClient.register(scene.mesh, scene.token.secret);
      const url = client.url('revoke-cert');
      const { chain } = await scene.certified(client, 'revoked.git-1.mesh');
      const certificate = derText(chain.split('-----END')[0] ?? '');
      const stranger = await AcmeClient.register(scene.mesh);
      assert.deepEqual(errorOf(await stranger.post(url, { certificate })), [403, 'unauthorized']);
      assert.deepEqual(errorOf(await stranger.post(url, { certificate }, { bare: true })), [403, 'unauthorized']);
      for (const reason of [2, 6, 99, 'x']) {
        assert.deepEqual(errorOf(await client.post(url, { certificate, reason })), [400, 'badRevocationReason']);
      }
      assert.deepEqual(errorOf(await client.post(url, { certificate: 'AAAA' })), [400, 'malformed']);
      assert.equal((await client.post(url, { certificate, reason: 4 })).status, 200);
      assert.deepEqual(errorOf(await client.post(url, { certificate })), [400, 'alreadyRevoked']);
      const serial = (await openssl(['x509', '-noout', '-serial', '-in', 'c.pem'], { 'c.pem': chain }))
        .trim()
        .split('=')[1];
      const { body } = await scene.mesh.ask<{ items: Certificate[] }>(
        'GET',
        `/v1/ca/certificates?q=${serial?.toLowerCase()}`,
      );
      assert.deepEqual(
        [body.items[0]?.revoked?.reason, body.items[0]?.revoked?.by.name],
        ['superseded', 'certbot on git-1'],
      );
      const again = await scene.certified(client, 'revoked.git-1.mesh');
      await scene.proven(stranger, 'revoked.git-1.mesh');
      const other = await stranger.post(url, { certificate: derText(again.chain.split('-----END')[0] ?? '') });
      assert.equal(other.status, 200, other.text);
    });

    it('is revoked by its own key, without an account', async () => {
      const client = await AcmeClient.register(scene.mesh, scene.token.secret);
      const order = await scene.proven(client, 'lost.git-1.mesh');
      const key = newKey();
      const pem = key.export({ format: 'pem', type: 'pkcs8' }).toString();
      const san = ['-subj', '/', '-addext', 'subjectAltName=DNS:lost.git-1.mesh'];
      const request = await openssl(['req', '-new', '-key', 'k.pem', ...san], { 'k.pem': pem });
      const done = await client.finalize(order, request);
      const { text } = await client.read(done.body.certificate);
      const certificate = derText(text.split('-----END')[0] ?? '');
      const holder = new AcmeClient(scene.mesh, key);
      assert.equal((await holder.post(client.url('revoke-cert'), { certificate, reason: 1 })).status, 200);
      const trail = await scene.mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=acme.revoke&limit=1');
      assert.equal(trail.body.items[0]?.actor.name, 'holder of the private key');
    });

    it('has a window for its renewal, which is now when it was revoked', async () => {
      const client = await AcmeClient.register(scene.mesh, scene.token.secret);
      const { chain } = await scene.certified(client, 'ari.git-1.mesh');
      const text = await openssl(['x509', '-noout', '-text', '-in', 'c.pem'], { 'c.pem': chain });
      const hexAfter = (label: string) =>
        (new RegExp(`${label}[^:\\n]*:\\s*([0-9A-Fa-f:]+)`).exec(text)?.[1] ?? '').replaceAll(':', '');
      const id = [hexAfter('Authority Key Identifier'), hexAfter('Serial Number')]
        .map((hex) => Buffer.from(hex, 'hex').toString('base64url'))
        .join('.');
      const info = () => scene.mesh.ask<AcmeBody>('GET', `/v1/acme/renewal-info/${id}`, { token: null });
      const got = await info();
      assert.equal(got.status, 200, got.text);
      const [from, to] = await Promise.all(
        ['-startdate', '-enddate'].map(async (which) => {
          const line = await openssl(['x509', '-noout', which, '-in', 'c.pem'], { 'c.pem': chain });
          return Date.parse(line.split('=')[1] ?? '');
        }),
      );
      const { start, end } = got.body.suggestedWindow;
      const life = (to ?? 0) - (from ?? 0);
      assert.equal(Math.round(((Date.parse(start) - (from ?? 0)) / life) * 100), 67);
      assert.equal(Math.round(((Date.parse(end) - (from ?? 0)) / life) * 100), 83);
      assert.ok(Number(got.headers.get('retry-after')) >= 60);
      const replacing = (replaces: string) =>
        client.post(client.url('new-order'), { identifiers: [{ type: 'dns', value: 'ari.git-1.mesh' }], replaces });
      const order = await replacing(id);
      assert.equal(order.status, 201, order.text);
      assert.equal((await client.finalize(order.body, await requestFor('ari.git-1.mesh'))).status, 200);
      assert.deepEqual(errorOf(await replacing(id)), [409, 'alreadyReplaced']);
      assert.deepEqual(errorOf(await replacing('AAAA.BBBB')), [400, 'malformed']);
      await client.post(client.url('revoke-cert'), { certificate: derText(chain.split('-----END')[0] ?? '') });
      assert.ok(Date.parse((await info()).body.suggestedWindow.end) < scene.mesh.clock.now());
      assert.equal((await scene.mesh.ask('GET', '/v1/acme/renewal-info/AAAA.BBBB', { token: null })).status, 404);
    });
  });
});

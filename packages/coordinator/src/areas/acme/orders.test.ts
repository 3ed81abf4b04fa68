import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry, Certificate } from '@meshwork/contract';
import { openssl, verifyChain } from '@meshwork/pki/testing';
import { AcmeClient, derText } from '../../../test/acme-client.ts';
import { AcmeScene, errorOf, requestFor } from '../../../test/acme-scene.ts';

describe('ACME orders', { timeout: 300_000 }, () => {
  let scene: AcmeScene;
  before(async () => {
    scene = await AcmeScene.start();
  });
  after(() => scene.close());

  describe('an order', () => {
    it('ends in a certificate that OpenSSL accepts, in the name of the token', async () => {
      const client = await AcmeClient.register(scene.mesh, scene.token.secret);
      const { chain } = await scene.certified(client, 'git-1.mesh', 'api.git-1.mesh');
      const [roots, lists] = await Promise.all(
        ['bundle', 'crl'].map(async (what) => (await scene.mesh.ask('GET', `/v1/ca/${what}`, { token: null })).text),
      );
      await verifyChain({
        roots: roots ?? '',
        revocation_lists: lists ?? '',
        chain,
        purpose: 'sslserver',
        at_ms: scene.mesh.clock.now(),
      });
      const { body } = await scene.mesh.ask<{ items: Certificate[] }>('GET', '/v1/ca/certificates?q=api.git-1.mesh');
      assert.deepEqual(body.items.at(-1)?.requested_by.name, 'certbot on git-1');
      const trail = await scene.mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=acme.finalize&limit=1');
      assert.equal(trail.body.items[0]?.token, scene.token.id);
      assert.equal(scene.node.probes.filter(({ challenge }) => challenge?.name === 'api.git-1.mesh').length > 0, true);
    });

    it('is ready as soon as the last name is proven, and takes the same names only', async () => {
      const client = await AcmeClient.register(scene.mesh, scene.token.secret);
      const made = await client.order('git-1.mesh', 'ready.git-1.mesh');
      assert.deepEqual([made.body.status, made.body.authorizations.length], ['pending', 2]);
      const early = await client.finalize(made.body, await requestFor('git-1.mesh', 'ready.git-1.mesh'));
      assert.deepEqual(errorOf(early), [403, 'orderNotReady']);
      await scene.show(client, made.body);
      await client.prove(made.body);
      const ready = await client.read(made.headers.get('location') ?? '');
      assert.equal(ready.body.status, 'ready');
      for (const names of [
        ['git-1.mesh'],
        ['git-1.mesh', 'more.git-1.mesh'],
        ['git-1.mesh', 'ready.git-1.mesh', 'x.git-1.mesh'],
      ]) {
        assert.deepEqual(errorOf(await client.finalize(ready.body, await requestFor(...names))), [400, 'badCSR']);
      }
      assert.deepEqual(errorOf(await client.post(ready.body.finalize, { csr: 'AAAA' })), [400, 'badCSR']);
      const right = await requestFor('git-1.mesh', 'ready.git-1.mesh');
      const both = await Promise.all([client, copyOf(client)].map((one) => one.finalize(ready.body, right)));
      assert.deepEqual(
        both.map(({ status }) => status),
        [200, 200],
      );
      assert.equal(both[0]?.body.certificate, both[1]?.body.certificate, 'twice at once makes one certificate');
      const again = await client.finalize(ready.body, right);
      assert.equal(again.body.certificate, both[0]?.body.certificate);
    });

    function copyOf(client: AcmeClient): AcmeClient {
      const copy = new AcmeClient(scene.mesh, client.key);
      copy.kid = client.kid;
      return copy;
    }

    it('is refused for names that the token does not speak for, with what is wrong with each', async () => {
      const client = await AcmeClient.register(scene.mesh, scene.token.secret);
      const rejected = [
        'other.mesh',
        'unknown.mesh',
        '*.git-1.mesh',
        'example.org',
        'mesh',
        'git-1.mesh.',
        'ä.git-1.mesh',
      ];
      const got = await client.order('git-1.mesh', ...rejected);
      assert.deepEqual(errorOf(got), [400, 'rejectedIdentifier']);
      assert.deepEqual(
        got.body.subproblems.map(({ identifier }) => identifier.value),
        rejected,
      );
      const url = client.url('new-order');
      const address = await client.post(url, { identifiers: [{ type: 'ip', value: '100.64.0.1' }] });
      assert.deepEqual(errorOf(address), [400, 'unsupportedIdentifier']);
      for (const identifiers of [
        undefined,
        [],
        'x',
        [1],
        [{ type: 'dns' }],
        Array(101).fill({ type: 'dns', value: 'git-1.mesh' }),
      ]) {
        assert.deepEqual(
          errorOf(await client.post(url, { identifiers })),
          [400, 'malformed'],
          JSON.stringify(identifiers)?.slice(0, 60),
        );
      }
      const dated = { identifiers: [{ type: 'dns', value: 'git-1.mesh' }], notAfter: '2030-01-01T00:00:00Z' };
      assert.deepEqual(errorOf(await client.post(url, dated)), [400, 'malformed']);
    });

    it('is for its own account alone', async () => {
      const client = await AcmeClient.register(scene.mesh, scene.token.secret);
      const { order } = await scene.certified(client, 'own.git-1.mesh');
      const other = await AcmeClient.register(scene.mesh);
      const made = await client.order('own.git-1.mesh');
      const location = made.headers.get('location') ?? '';
      for (const url of [location, order.certificate, ...order.authorizations]) {
        assert.deepEqual(errorOf(await other.read(url)), [404, 'malformed'], url);
      }
      assert.deepEqual(errorOf(await other.finalize(made.body, await requestFor('own.git-1.mesh'))), [
        404,
        'malformed',
      ]);
      const { body } = await client.read(`${client.kid}/orders`);
      assert.equal(body.orders.length, 2);
      assert.ok(body.orders.includes(location));
    });

    it('uses again what was proven lately, and proves anew what moved to another node', async () => {
      const client = await AcmeClient.register(scene.mesh, scene.token.secret);
      const { order } = await scene.certified(client, 'again.git-1.mesh');
      const second = await client.order('again.git-1.mesh');
      assert.deepEqual([second.body.status, second.body.authorizations], ['ready', order.authorizations]);
      await scene.later(9 * 3600);
      const third = await client.order('again.git-1.mesh');
      assert.equal(third.body.status, 'pending');
      const stale = await client.read(second.headers.get('location') ?? '');
      assert.equal(stale.body.status, 'invalid');
      const [authorization = ''] = order.authorizations;
      assert.equal((await client.read(authorization)).body.status, 'expired');
      const given = await client.post(third.body.authorizations[0] ?? '', { status: 'deactivated' });
      assert.equal(given.body.status, 'deactivated');
      assert.equal((await client.read(third.headers.get('location') ?? '')).body.status, 'invalid');
    });
  });

  describe('a challenge', () => {
    it('fails when the node shows nothing, another text, or does not answer, and says so', async () => {
      const client = await AcmeClient.register(scene.mesh, scene.token.secret);
      const wrong = await client.order('wrong.git-1.mesh');
      const { body } = await client.read(wrong.body.authorizations[0] ?? '');
      scene.shown.set(body.challenges[0]?.token ?? '', 'something else');
      const [failed] = await client.prove(wrong.body);
      assert.deepEqual([failed?.status, failed?.challenges.length], ['invalid', 1]);
      assert.match(failed?.challenges[0]?.error?.type ?? '', /:incorrectResponse$/);
      assert.match(
        failed?.challenges[0]?.error?.detail ?? '',
        /The file on git-1 has "something else", and should have/,
      );
      const order = await client.read(wrong.headers.get('location') ?? '');
      assert.deepEqual([order.body.status, order.body.error.type], ['invalid', failed?.challenges[0]?.error?.type]);
      const nothing = await client.order('nothing.git-1.mesh');
      const proving = client.prove(nothing.body);
      const moving = setInterval(() => scene.mesh.clock.advance(3), 50);
      const [silent] = await proving.finally(() => clearInterval(moving));
      assert.match(silent?.challenges[0]?.error?.type ?? '', /:connection$/);
      assert.match(silent?.challenges[0]?.error?.detail ?? '', /^git-1: connect ECONNREFUSED$/);
    });

    it('is proven by a certificate that has the digest and the name, and by no other', async () => {
      const client = await AcmeClient.register(scene.mesh, scene.token.secret);
      const selfSigned = async (name: string, digest: string, critical = 'critical,') => {
        const extensions = [`subjectAltName=DNS:${name}`, `1.3.6.1.5.5.7.1.31=${critical}DER:0420${digest}`];
        const added = extensions.flatMap((extension) => ['-addext', extension]);
        const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '/dev/null'];
        const pem = await openssl(['req', '-x509', ...ec, '-subj', '/', '-days', '1', ...added]);
        return Buffer.from(derText(pem), 'base64url').toString('base64');
      };
      const name = 'alpn.git-1.mesh';
      const attempt = async (make: (digest: string) => Promise<string>) => {
        const order = await client.order(name);
        const { body } = await client.read(order.body.authorizations[0] ?? '');
        const { hash } = await import('node:crypto');
        scene.shown.set(
          name,
          await make(hash('sha256', await client.keyAuthorization(body.challenges[0]?.token ?? ''))),
        );
        const [decided] = await client.prove(order.body, 'tls-alpn-01');
        return decided?.challenges[0]?.error?.detail ?? decided?.status;
      };
      assert.match((await attempt((digest) => selfSigned('else.mesh', digest))) ?? '', /as its only name/);
      assert.match((await attempt(() => selfSigned(name, '00'.repeat(32)))) ?? '', /not the digest/);
      assert.match((await attempt((digest) => selfSigned(name, digest, ''))) ?? '', /not the digest/);
      assert.match((await attempt(async () => 'AAAA')) ?? '', /not a certificate/);
      assert.equal(await attempt((digest) => selfSigned(name, digest)), 'valid');
    });

    it('is decided after a restart, for a client that was asked to wait', async () => {
      const client = await AcmeClient.register(scene.mesh, scene.token.secret);
      const order = await client.order('restart.git-1.mesh');
      await scene.node.stop();
      await scene.show(client, order.body);
      const [url = ''] = order.body.authorizations;
      const { body } = await client.read(url);
      const answered = await client.post(body.challenges[0]?.url ?? '', {});
      assert.deepEqual(
        [answered.body.status, answered.headers.get('retry-after')],
        ['processing', '1'],
        'the node is away',
      );
      const { url: before } = scene.mesh;
      await scene.mesh.down();
      await scene.mesh.up();
      const moved = (text: string) => text.replace(before, scene.mesh.url);
      client.kid = moved(client.kid ?? '');
      await scene.node.node.prove();
      await scene.node.start(['challenge']);
      await scene.mesh.until(async () => {
        scene.mesh.clock.advance(1);
        return (await client.read(moved(url))).body.status === 'valid';
      });
    });
  });
});

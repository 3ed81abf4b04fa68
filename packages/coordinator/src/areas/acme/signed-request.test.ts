import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { AcmeClient, bindingOf, newKey } from '../../../test/acme-client.ts';
import { AcmeScene, errorOf } from '../../../test/acme-scene.ts';

describe('requests of ACME clients', { timeout: 300_000 }, () => {
  let scene: AcmeScene;
  before(async () => {
    scene = await AcmeScene.start();
  });
  after(() => scene.close());

  describe('a request', () => {
    it('is refused when its signature is not right in every respect', async () => {
      const client = await AcmeClient.register(scene.mesh);
      const url = client.kid ?? '';
      const cases: readonly [string, Parameters<AcmeClient['post']>[2], readonly unknown[]][] = [
        ['another key', { key: newKey() }, [400, 'malformed']],
        ['another URL', { url: client.url('new-order') }, [403, 'unauthorized']],
        ['another host', { url: url.replace('127.0.0.1', 'else.example') }, [403, 'unauthorized']],
        [
          'no account',
          { header: { kid: client.url('account/account_01jcqv2m7xf1b8x0v4q6k3j9zt') } },
          [400, 'accountDoesNotExist'],
        ],
        ['its own key where the account is needed', { bare: true }, [400, 'malformed']],
        ['both', { header: { jwk: {} } }, [400, 'malformed']],
        ['a media type of its own', { type: 'application/json' }, [415, 'malformed']],
      ];
      for (const [what, odd, expected] of cases)
        assert.deepEqual(errorOf(await client.post(url, '', odd)), expected, what);
      const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
      const algorithm = await client.post(url, '', { key: rsa, alg: 'RS256' });
      assert.deepEqual(errorOf(algorithm), [400, 'badSignatureAlgorithm']);
      assert.ok(algorithm.body.algorithms.includes('ES256'));
    });

    it('is refused when it is not one at all', async () => {
      const client = await AcmeClient.register(scene.mesh);
      const url = client.kid ?? '';
      const bodies = [
        '',
        'null',
        '[]',
        '{',
        '{"protected":1,"payload":"","signature":""}',
        '{"payload":"","signatures":[]}',
      ];
      bodies.push(JSON.stringify({ protected: '!', payload: '', signature: '', header: {} }));
      bodies.push(JSON.stringify({ protected: 'e30', payload: '', signature: '' }), 'x'.repeat(60_000));
      for (const body of bodies)
        assert.deepEqual(errorOf(await client.send(url, body)), [400, 'malformed'], body.slice(0, 50));
      assert.deepEqual(errorOf(await client.send(url, 'x'.repeat(70_000))), [413, 'malformed']);
      assert.deepEqual(errorOf(await client.read(client.url('nothing'))), [404, 'malformed']);
      const method = await scene.mesh.ask('GET', '/v1/acme/new-order', { token: null });
      assert.deepEqual([method.status, method.headers.get('allow')], [405, 'POST']);
      scene.mesh.clock.advance(60);
    });

    it('takes RSA, P-384 and Ed25519 keys, and no weak or private one', async () => {
      const binding = await bindingOf(scene.mesh);
      const taken = [
        [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'RS256'],
        [generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey, 'ES384'],
        [generateKeyPairSync('ed25519').privateKey, 'EdDSA'],
      ] as const;
      for (const [key, alg] of taken) {
        const client = new AcmeClient(scene.mesh, key);
        const bound = await client.bind(binding, client.url('new-account'));
        assert.equal((await client.newAccount(undefined, { externalAccountBinding: bound }, { alg })).status, 201, alg);
      }
      const client = new AcmeClient(scene.mesh);
      const whole = await client.newAccount(undefined, {}, { header: { jwk: client.key.export({ format: 'jwk' }) } });
      assert.deepEqual(errorOf(whole), [400, 'badPublicKey']);
      const odd = await client.newAccount(
        undefined,
        {},
        { header: { jwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } } },
      );
      assert.deepEqual(errorOf(odd), [400, 'badPublicKey']);
    });
  });

  it('limits how often a name is tried, and says when to come back', async () => {
    const client = await AcmeClient.register(scene.mesh);
    using _ = scene.mesh.clock.holdStill();
    const statuses = new Set<number>();
    for (let count = 0; count < 22; count++) {
      const order = await client.order('limit.git-1.mesh');
      if (order.status !== 201) throw new Error(order.text);
      const { body } = await client.read(order.body.authorizations[0] ?? '');
      scene.shown.set(body.challenges[0]?.token ?? '', 'wrong');
      const got = await client.post(body.challenges[0]?.url ?? '', {});
      statuses.add(got.status);
      if (got.status !== 429) continue;
      assert.match(got.body.type, /:rateLimited$/);
      assert.ok(Number(got.headers.get('retry-after')) > 0);
    }
    assert.deepEqual([...statuses], [200, 429]);
  });
});

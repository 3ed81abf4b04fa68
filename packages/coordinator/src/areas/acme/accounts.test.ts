import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AcmeAccount, AuditEntry } from '@meshwork/contract';
import { AcmeClient, bindingOf, newKey } from '../../../test/acme-client.ts';
import { AcmeScene, errorOf, GIT } from '../../../test/acme-scene.ts';

describe('ACME accounts', { timeout: 300_000 }, () => {
  let scene: AcmeScene;
  before(async () => {
    scene = await AcmeScene.start();
  });
  after(() => scene.close());

  it('says where everything is, for the place that the caller knows it by', async () => {
    const got = await scene.mesh.ask<Record<string, unknown>>('GET', '/v1/acme/directory', { token: null });
    assert.equal(got.status, 200);
    assert.equal(got.body.newOrder, `${scene.mesh.url}/v1/acme/new-order`);
    assert.deepEqual(got.body.meta, { externalAccountRequired: true });
    const behind = await scene.mesh.ask<Record<string, string>>('GET', '/v1/acme/directory', {
      token: null,
      headers: { 'x-forwarded-proto': 'https' },
    });
    assert.match(behind.body.newNonce ?? '', /^https:/);
  });

  it('gives nonces with every answer, each of them good once', async () => {
    const head = await scene.mesh.ask('HEAD', '/v1/acme/new-nonce', { token: null });
    const get = await scene.mesh.ask('GET', '/v1/acme/new-nonce', { token: null });
    assert.deepEqual([head.status, get.status], [200, 204]);
    const nonces = [head, get].map(({ headers }) => headers.get('replay-nonce') ?? '');
    assert.notEqual(nonces[0], nonces[1]);
    const client = await AcmeClient.register(scene.mesh);
    const account = client.kid ?? '';
    const [nonce = ''] = nonces;
    assert.equal((await client.once(account, '', { nonce })).status, 200);
    for (const bad of [nonce, 'made-up', null, Buffer.alloc(30).toString('base64url')]) {
      const refused = await client.once(account, '', { nonce: bad });
      assert.deepEqual(errorOf(refused), [400, 'badNonce']);
      assert.match(refused.headers.get('replay-nonce') ?? '', /^[\w-]{40}$/);
    }
  });

  describe('an account', () => {
    it('is bound to a token, and the trail names that token', async () => {
      const client = await AcmeClient.register(scene.mesh, scene.token.secret);
      const got = await client.read(client.kid ?? '');
      assert.deepEqual([got.status, got.body.status, got.body.contact], [200, 'valid', []]);
      const { body } = await scene.mesh.ask<{ items: AuditEntry[] }>(
        'GET',
        '/v1/audit?action=acme.new_account&limit=1',
      );
      assert.equal(body.items[0]?.token, scene.token.id);
      const listed = await scene.mesh.ask<{ items: AcmeAccount[] }>('GET', '/v1/ca/acme/accounts', {
        token: scene.token.secret,
      });
      assert.deepEqual(
        listed.body.items.map((one) => [one.token.name, one.works, one.state]),
        [['certbot on git-1', true, 'valid']],
      );
    });

    it('is made once for a key, also twice at once', async () => {
      const binding = await bindingOf(scene.mesh);
      const key = newKey();
      const clients = Array.from({ length: 4 }, () => new AcmeClient(scene.mesh, key));
      const got = await Promise.all(clients.map((client) => client.newAccount(binding)));
      assert.deepEqual(got.map(({ status }) => status).sort(), [200, 200, 200, 201]);
      assert.equal(new Set(clients.map(({ kid }) => kid)).size, 1);
      const existing = await new AcmeClient(scene.mesh, key).newAccount(undefined, { onlyReturnExisting: true });
      assert.deepEqual([existing.status, existing.headers.get('location')], [200, clients[0]?.kid]);
      const none = await new AcmeClient(scene.mesh).newAccount(undefined, { onlyReturnExisting: true });
      assert.deepEqual(errorOf(none), [400, 'accountDoesNotExist']);
    });

    it('is refused without a binding, and with one that is not for it', async () => {
      const client = new AcmeClient(scene.mesh);
      const binding = await bindingOf(scene.mesh, scene.token.secret);
      assert.deepEqual(errorOf(await client.newAccount(undefined)), [403, 'externalAccountRequired']);
      const wrong = { ...binding, key: Buffer.alloc(32).toString('base64url') };
      assert.deepEqual(errorOf(await client.newAccount(wrong)), [403, 'unauthorized']);
      const unknown = { ...binding, key_id: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt' };
      assert.deepEqual(errorOf(await client.newAccount(unknown)), [403, 'unauthorized']);
      const url = client.url('new-account');
      const ofAnother = await new AcmeClient(scene.mesh).bind(binding, url);
      const stolen = await client.newAccount(undefined, { externalAccountBinding: ofAnother });
      assert.deepEqual(errorOf(stolen), [400, 'malformed']);
      const elsewhere = await client.bind(binding, 'https://else.example/v1/acme/new-account');
      const moved = await client.newAccount(undefined, { externalAccountBinding: elsewhere });
      assert.deepEqual(errorOf(moved), [400, 'malformed']);
    });

    it('is refused to a person, and to a token that may not issue', async () => {
      const reader = await scene.mesh.token({ role: 'viewer' });
      assert.equal((await scene.mesh.ask('POST', '/v1/ca/acme/bindings', { token: reader.secret })).status, 403);
    });

    it('keeps contacts, and only addresses', async () => {
      const client = await AcmeClient.register(scene.mesh);
      const set = (contact: unknown) => client.post(client.kid ?? '', { contact });
      assert.deepEqual((await set(['mailto:git@example.org'])).body.contact, ['mailto:git@example.org']);
      assert.deepEqual(errorOf(await set(['tel:+49'])), [400, 'unsupportedContact']);
      for (const bad of [
        ['nothing'],
        'mailto:a@b',
        ['mailto:a@b,c@d'],
        ['mailto:a@b?subject=x'],
        [1],
        Array(11).fill('mailto:a@b'),
      ]) {
        assert.deepEqual(errorOf(await set(bad)), [400, 'invalidContact'], JSON.stringify(bad));
      }
    });

    it('changes its key, which the old and the new one both sign', async () => {
      const client = await AcmeClient.register(scene.mesh);
      const next = newKey();
      const { d: _, ...oldKey } = next.export({ format: 'jwk' });
      assert.deepEqual(errorOf(await client.changeKey(next, { oldKey })), [400, 'malformed']);
      assert.deepEqual(errorOf(await client.changeKey(next, { account: 'x' })), [400, 'malformed']);
      const taken = await AcmeClient.register(scene.mesh);
      const conflict = await client.changeKey(taken.key);
      assert.deepEqual([conflict.status, conflict.headers.get('location')], [409, taken.kid]);
      assert.equal((await client.changeKey(next)).status, 200);
      assert.deepEqual(errorOf(await client.read(client.kid ?? '')), [400, 'malformed']);
      client.key = next;
      assert.equal((await client.read(client.kid ?? '')).status, 200);
    });

    it('is deactivated by its holder or by an operator, and can do nothing more', async () => {
      const client = await AcmeClient.register(scene.mesh);
      const gone = await client.post(client.kid ?? '', { status: 'deactivated' });
      assert.equal(gone.body.status, 'deactivated');
      assert.deepEqual(errorOf(await client.order('git-1.mesh')), [403, 'unauthorized']);
      assert.deepEqual(errorOf(await client.newAccount(await bindingOf(scene.mesh))), [403, 'unauthorized']);
      const other = await AcmeClient.register(scene.mesh, scene.token.secret);
      const id = other.kid?.split('/').at(-1);
      const stranger = await scene.mesh.token({ scope: { team: 'data' }, role: 'operator' });
      const path = `/v1/ca/acme/accounts/${id}/deactivate`;
      assert.equal((await scene.mesh.ask('POST', path, { token: stranger.secret })).status, 404);
      const by = await scene.mesh.ask<AcmeAccount>('POST', path);
      assert.deepEqual([by.status, by.body.state, by.body.works], [200, 'deactivated', false]);
      assert.deepEqual(errorOf(await other.order('git-1.mesh')), [403, 'unauthorized']);
    });

    it('goes on with the successor of its token, and ends when that is revoked', async () => {
      const first = await scene.mesh.token({ name: 'to be rotated', scope: GIT, role: 'operator' });
      const client = await AcmeClient.register(scene.mesh, first.secret);
      const rotated = await scene.mesh.ask<{ id: string; secret: string }>(
        'POST',
        `/v1/auth/tokens/${first.id}/rotate`,
        {
          body: { deadline_s: 60 },
        },
      );
      assert.equal(rotated.status, 201, rotated.text);
      scene.mesh.clock.advance(120);
      assert.equal((await client.order('git-1.mesh')).status, 201);
      assert.ok((await scene.mesh.ask('DELETE', `/v1/auth/tokens/${rotated.body.id}`)).status < 300);
      const refused = await client.order('git-1.mesh');
      assert.deepEqual(errorOf(refused), [403, 'unauthorized']);
      assert.match(refused.body.detail, /was revoked at/);
      const { body } = await scene.mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?outcome=refused&limit=1');
      assert.deepEqual([body.items[0]?.action, body.items[0]?.token], ['acme.new_order', rotated.body.id]);
      const second = await scene.mesh.token({ name: 'its place', scope: GIT, role: 'operator' });
      assert.equal((await client.newAccount(await bindingOf(scene.mesh, second.secret))).status, 200);
      assert.equal((await client.order('git-1.mesh')).status, 201, 'bound to another token, it works again');
    });
  });
});

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { AcmeAccount, AuditEntry, Certificate, Probe } from '@meshwork/contract';
import { openssl, requestOf, verifyChain } from '@meshwork/pki/testing';
import { type AcmeBody, AcmeClient, type AcmeGot, bindingOf, derText, newKey } from '../../../test/acme-client.ts';
import { TestCoordinator } from '../../../test/harness.ts';
import { ProbedNode } from '../../../test/probed-node.ts';
import { TestNode } from '../../../test/test-node.ts';

const errorOf = ({ status, body }: AcmeGot) => [status, body.type.replace('urn:ietf:params:acme:error:', '')];
const GIT = { team: 'platform', surface: 'git', environment: 'production' };
const GIT_TAGS = ['team:platform', 'surface:git', 'env:production'];

describe('ACME', { timeout: 300_000 }, () => {
  let mesh: TestCoordinator;
  let node: ProbedNode;
  let token: { readonly id: string; readonly secret: string };
  /** What programs on the node show, by name of the file or of the host. Absent: nothing listens. */
  const shown = new Map<string, string>();
  const answer = ({ challenge }: Probe) => {
    if (challenge === undefined) return { error: 'not here' };
    const { type, token: file, name } = challenge;
    const text = shown.get(type === 'http-01' ? file : name);
    if (text === undefined) return { challenge: { fault: 'connection' as const, detail: 'connect ECONNREFUSED' } };
    return { challenge: { shown: text } };
  };

  before(async () => {
    mesh = await TestCoordinator.startWithAuthorities();
    mesh.owner = (await mesh.token({ role: 'owner', days: 300 })).secret;
    node = new ProbedNode(await TestNode.enroll(mesh, { name: 'git-1', tags: GIT_TAGS }), answer);
    await TestNode.enroll(mesh, { name: 'other' });
    await node.start(['challenge']);
    token = await mesh.token({ name: 'certbot on git-1', scope: GIT, role: 'operator', days: 200 });
  });
  after(async () => {
    try {
      await node.stop();
    } finally {
      await mesh.close();
    }
  });

  /** Sessions of nodes end within the hour; an agent opens another. */
  async function later(seconds: number): Promise<void> {
    await node.stop();
    mesh.clock.advance(seconds);
    await node.node.prove();
    await node.start(['challenge']);
  }

  /** Puts the answers to an order in place. */
  async function show(client: AcmeClient, order: AcmeBody): Promise<void> {
    for (const url of order.authorizations) {
      for (const { token: file } of (await client.read(url)).body.challenges) {
        shown.set(file, await client.keyAuthorization(file));
      }
    }
  }

  async function proven(client: AcmeClient, ...names: readonly string[]): Promise<AcmeBody> {
    const order = await client.order(...names);
    assert.equal(order.status, 201, order.text);
    await show(client, order.body);
    for (const { status } of await client.prove(order.body)) assert.equal(status, 'valid');
    return (await client.read(order.headers.get('location') ?? '')).body;
  }

  const requestFor = (...names: readonly string[]) =>
    requestOf({ extensions: [`subjectAltName=${names.map((name) => `DNS:${name}`).join()}`] });

  async function certified(
    client: AcmeClient,
    ...names: readonly string[]
  ): Promise<{ order: AcmeBody; chain: string }> {
    const order = await proven(client, ...names);
    const done = await client.finalize(order, await requestFor(...names));
    assert.deepEqual([done.status, done.body.status], [200, 'valid'], done.text);
    const got = await client.read(done.body.certificate);
    assert.equal(got.headers.get('content-type'), 'application/pem-certificate-chain');
    return { order: done.body, chain: got.text };
  }

  it('says where everything is, for the place that the caller knows it by', async () => {
    const got = await mesh.ask<Record<string, unknown>>('GET', '/v1/acme/directory', { token: null });
    assert.equal(got.status, 200);
    assert.equal(got.body.newOrder, `${mesh.url}/v1/acme/new-order`);
    assert.deepEqual(got.body.meta, { externalAccountRequired: true });
    const behind = await mesh.ask<Record<string, string>>('GET', '/v1/acme/directory', {
      token: null,
      headers: { 'x-forwarded-proto': 'https' },
    });
    assert.match(behind.body.newNonce ?? '', /^https:/);
  });

  it('gives nonces with every answer, each of them good once', async () => {
    const head = await mesh.ask('HEAD', '/v1/acme/new-nonce', { token: null });
    const get = await mesh.ask('GET', '/v1/acme/new-nonce', { token: null });
    assert.deepEqual([head.status, get.status], [200, 204]);
    const nonces = [head, get].map(({ headers }) => headers.get('replay-nonce') ?? '');
    assert.notEqual(nonces[0], nonces[1]);
    const client = await AcmeClient.register(mesh);
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
      const client = await AcmeClient.register(mesh, token.secret);
      const got = await client.read(client.kid ?? '');
      assert.deepEqual([got.status, got.body.status, got.body.contact], [200, 'valid', []]);
      const { body } = await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=acme.new_account&limit=1');
      assert.equal(body.items[0]?.token, token.id);
      const listed = await mesh.ask<{ items: AcmeAccount[] }>('GET', '/v1/ca/acme/accounts', { token: token.secret });
      assert.deepEqual(
        listed.body.items.map((one) => [one.token.name, one.works, one.state]),
        [['certbot on git-1', true, 'valid']],
      );
    });

    it('is made once for a key, also twice at once', async () => {
      const binding = await bindingOf(mesh);
      const key = newKey();
      const clients = Array.from({ length: 4 }, () => new AcmeClient(mesh, key));
      const got = await Promise.all(clients.map((client) => client.newAccount(binding)));
      assert.deepEqual(got.map(({ status }) => status).sort(), [200, 200, 200, 201]);
      assert.equal(new Set(clients.map(({ kid }) => kid)).size, 1);
      const existing = await new AcmeClient(mesh, key).newAccount(undefined, { onlyReturnExisting: true });
      assert.deepEqual([existing.status, existing.headers.get('location')], [200, clients[0]?.kid]);
      const none = await new AcmeClient(mesh).newAccount(undefined, { onlyReturnExisting: true });
      assert.deepEqual(errorOf(none), [400, 'accountDoesNotExist']);
    });

    it('is refused without a binding, and with one that is not for it', async () => {
      const client = new AcmeClient(mesh);
      const binding = await bindingOf(mesh, token.secret);
      assert.deepEqual(errorOf(await client.newAccount(undefined)), [403, 'externalAccountRequired']);
      const wrong = { ...binding, key: Buffer.alloc(32).toString('base64url') };
      assert.deepEqual(errorOf(await client.newAccount(wrong)), [403, 'unauthorized']);
      const unknown = { ...binding, key_id: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt' };
      assert.deepEqual(errorOf(await client.newAccount(unknown)), [403, 'unauthorized']);
      const url = client.url('new-account');
      const ofAnother = await new AcmeClient(mesh).bind(binding, url);
      const stolen = await client.newAccount(undefined, { externalAccountBinding: ofAnother });
      assert.deepEqual(errorOf(stolen), [400, 'malformed']);
      const elsewhere = await client.bind(binding, 'https://else.example/v1/acme/new-account');
      const moved = await client.newAccount(undefined, { externalAccountBinding: elsewhere });
      assert.deepEqual(errorOf(moved), [400, 'malformed']);
    });

    it('is refused to a person, and to a token that may not issue', async () => {
      const reader = await mesh.token({ role: 'viewer' });
      assert.equal((await mesh.ask('POST', '/v1/ca/acme/bindings', { token: reader.secret })).status, 403);
    });

    it('keeps contacts, and only addresses', async () => {
      const client = await AcmeClient.register(mesh);
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
      const client = await AcmeClient.register(mesh);
      const next = newKey();
      const url = client.url('key-change');
      const inner = async (by: AcmeClient, payload: object) => {
        const { FlattenedSign } = await import('jose');
        const { d: _, ...jwk } = by.key.export({ format: 'jwk' });
        return new FlattenedSign(Buffer.from(JSON.stringify(payload)))
          .setProtectedHeader({ alg: 'ES256', jwk: jwk as never, url })
          .sign(by.key);
      };
      const { d: _, ...oldKey } = client.key.export({ format: 'jwk' });
      const { d: __, ...ofNext } = next.export({ format: 'jwk' });
      const by = new AcmeClient(mesh, next);
      const about = { account: client.kid, oldKey };
      assert.deepEqual(errorOf(await client.post(url, await inner(by, { ...about, oldKey: ofNext }))), [
        400,
        'malformed',
      ]);
      assert.deepEqual(errorOf(await client.post(url, await inner(by, { ...about, account: 'x' }))), [
        400,
        'malformed',
      ]);
      const taken = await AcmeClient.register(mesh);
      const conflict = await client.post(url, await inner(taken, about));
      assert.deepEqual([conflict.status, conflict.headers.get('location')], [409, taken.kid]);
      assert.equal((await client.post(url, await inner(by, about))).status, 200);
      assert.deepEqual(errorOf(await client.read(client.kid ?? '')), [400, 'malformed']);
      client.key = next;
      assert.equal((await client.read(client.kid ?? '')).status, 200);
    });

    it('is deactivated by its holder or by an operator, and can do nothing more', async () => {
      const client = await AcmeClient.register(mesh);
      const gone = await client.post(client.kid ?? '', { status: 'deactivated' });
      assert.equal(gone.body.status, 'deactivated');
      assert.deepEqual(errorOf(await client.order('git-1.mesh')), [403, 'unauthorized']);
      assert.deepEqual(errorOf(await client.newAccount(await bindingOf(mesh))), [403, 'unauthorized']);
      const other = await AcmeClient.register(mesh, token.secret);
      const id = other.kid?.split('/').at(-1);
      const stranger = await mesh.token({ scope: { team: 'data' }, role: 'operator' });
      const path = `/v1/ca/acme/accounts/${id}/deactivate`;
      assert.equal((await mesh.ask('POST', path, { token: stranger.secret })).status, 404);
      const by = await mesh.ask<AcmeAccount>('POST', path);
      assert.deepEqual([by.status, by.body.state, by.body.works], [200, 'deactivated', false]);
      assert.deepEqual(errorOf(await other.order('git-1.mesh')), [403, 'unauthorized']);
    });

    it('goes on with the successor of its token, and ends when that is revoked', async () => {
      const first = await mesh.token({ name: 'to be rotated', scope: GIT, role: 'operator' });
      const client = await AcmeClient.register(mesh, first.secret);
      const rotated = await mesh.ask<{ id: string; secret: string }>('POST', `/v1/auth/tokens/${first.id}/rotate`, {
        body: { deadline_s: 60 },
      });
      assert.equal(rotated.status, 201, rotated.text);
      mesh.clock.advance(120);
      assert.equal((await client.order('git-1.mesh')).status, 201);
      assert.ok((await mesh.ask('DELETE', `/v1/auth/tokens/${rotated.body.id}`)).status < 300);
      const refused = await client.order('git-1.mesh');
      assert.deepEqual(errorOf(refused), [403, 'unauthorized']);
      assert.match(refused.body.detail, /was revoked at/);
      const { body } = await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?outcome=refused&limit=1');
      assert.deepEqual([body.items[0]?.action, body.items[0]?.token], ['acme.new_order', rotated.body.id]);
      const second = await mesh.token({ name: 'its place', scope: GIT, role: 'operator' });
      assert.equal((await client.newAccount(await bindingOf(mesh, second.secret))).status, 200);
      assert.equal((await client.order('git-1.mesh')).status, 201, 'bound to another token, it works again');
    });
  });

  describe('a request', () => {
    it('is refused when its signature is not right in every respect', async () => {
      const client = await AcmeClient.register(mesh);
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
      const client = await AcmeClient.register(mesh);
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
      const method = await mesh.ask('GET', '/v1/acme/new-order', { token: null });
      assert.deepEqual([method.status, method.headers.get('allow')], [405, 'POST']);
      mesh.clock.advance(60);
    });

    it('takes RSA, P-384 and Ed25519 keys, and no weak or private one', async () => {
      const binding = await bindingOf(mesh);
      const taken = [
        [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'RS256'],
        [generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey, 'ES384'],
        [generateKeyPairSync('ed25519').privateKey, 'EdDSA'],
      ] as const;
      for (const [key, alg] of taken) {
        const client = new AcmeClient(mesh, key);
        const bound = await client.bind(binding, client.url('new-account'));
        assert.equal((await client.newAccount(undefined, { externalAccountBinding: bound }, { alg })).status, 201, alg);
      }
      const client = new AcmeClient(mesh);
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

  describe('an order', () => {
    it('ends in a certificate that OpenSSL accepts, in the name of the token', async () => {
      const client = await AcmeClient.register(mesh, token.secret);
      const { chain } = await certified(client, 'git-1.mesh', 'api.git-1.mesh');
      const [roots, lists] = await Promise.all(
        ['bundle', 'crl'].map(async (what) => (await mesh.ask('GET', `/v1/ca/${what}`, { token: null })).text),
      );
      await verifyChain({
        roots: roots ?? '',
        revocation_lists: lists ?? '',
        chain,
        purpose: 'sslserver',
        at_ms: mesh.clock.now(),
      });
      const { body } = await mesh.ask<{ items: Certificate[] }>('GET', '/v1/ca/certificates?q=api.git-1.mesh');
      assert.deepEqual(body.items.at(-1)?.requested_by.name, 'certbot on git-1');
      const trail = await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=acme.finalize&limit=1');
      assert.equal(trail.body.items[0]?.token, token.id);
      assert.equal(node.probes.filter(({ challenge }) => challenge?.name === 'api.git-1.mesh').length > 0, true);
    });

    it('is ready as soon as the last name is proven, and takes the same names only', async () => {
      const client = await AcmeClient.register(mesh, token.secret);
      const made = await client.order('git-1.mesh', 'ready.git-1.mesh');
      assert.deepEqual([made.body.status, made.body.authorizations.length], ['pending', 2]);
      const early = await client.finalize(made.body, await requestFor('git-1.mesh', 'ready.git-1.mesh'));
      assert.deepEqual(errorOf(early), [403, 'orderNotReady']);
      await show(client, made.body);
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
      const copy = new AcmeClient(mesh, client.key);
      copy.kid = client.kid;
      return copy;
    }

    it('is refused for names that the token does not speak for, with what is wrong with each', async () => {
      const client = await AcmeClient.register(mesh, token.secret);
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
      const client = await AcmeClient.register(mesh, token.secret);
      const { order } = await certified(client, 'own.git-1.mesh');
      const other = await AcmeClient.register(mesh);
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
      const client = await AcmeClient.register(mesh, token.secret);
      const { order } = await certified(client, 'again.git-1.mesh');
      const second = await client.order('again.git-1.mesh');
      assert.deepEqual([second.body.status, second.body.authorizations], ['ready', order.authorizations]);
      await later(9 * 3600);
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
      const client = await AcmeClient.register(mesh, token.secret);
      const wrong = await client.order('wrong.git-1.mesh');
      const { body } = await client.read(wrong.body.authorizations[0] ?? '');
      shown.set(body.challenges[0]?.token ?? '', 'something else');
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
      const moving = setInterval(() => mesh.clock.advance(3), 50);
      const [silent] = await proving.finally(() => clearInterval(moving));
      assert.match(silent?.challenges[0]?.error?.type ?? '', /:connection$/);
      assert.match(silent?.challenges[0]?.error?.detail ?? '', /^git-1: connect ECONNREFUSED$/);
    });

    it('is proven by a certificate that has the digest and the name, and by no other', async () => {
      const client = await AcmeClient.register(mesh, token.secret);
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
        shown.set(name, await make(hash('sha256', await client.keyAuthorization(body.challenges[0]?.token ?? ''))));
        const [decided] = await client.prove(order.body, 'tls-alpn-01');
        return decided?.challenges[0]?.error?.detail ?? decided?.status;
      };
      assert.match((await attempt((digest) => selfSigned('else.mesh', digest))) ?? '', /as its only name/);
      assert.match((await attempt(() => selfSigned(name, '00'.repeat(32)))) ?? '', /not the digest/);
      assert.match((await attempt((digest) => selfSigned(name, digest, ''))) ?? '', /not the digest/);
      assert.match((await attempt(async () => 'AAAA')) ?? '', /not a certificate/);
      assert.equal(await attempt((digest) => selfSigned(name, digest)), 'valid');
    });

    it('is decided after a restart, for a client that was told to wait', async () => {
      const client = await AcmeClient.register(mesh, token.secret);
      const order = await client.order('restart.git-1.mesh');
      await node.stop();
      await show(client, order.body);
      const [url = ''] = order.body.authorizations;
      const { body } = await client.read(url);
      const told = await client.post(body.challenges[0]?.url ?? '', {});
      assert.deepEqual([told.body.status, told.headers.get('retry-after')], ['processing', '1'], 'the node is away');
      const { url: before } = mesh;
      await mesh.down();
      await mesh.up();
      const moved = (text: string) => text.replace(before, mesh.url);
      client.kid = moved(client.kid ?? '');
      await node.node.prove();
      await node.start(['challenge']);
      await mesh.until(async () => {
        mesh.clock.advance(1);
        return (await client.read(moved(url))).body.status === 'valid';
      });
    });
  });

  describe('a certificate', () => {
    it('is revoked by its account, by its key, or by one that has proven its names', async () => {
      const client = await AcmeClient.register(mesh, token.secret);
      const url = client.url('revoke-cert');
      const { chain } = await certified(client, 'revoked.git-1.mesh');
      const certificate = derText(chain.split('-----END')[0] ?? '');
      const stranger = await AcmeClient.register(mesh);
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
      const { body } = await mesh.ask<{ items: Certificate[] }>(
        'GET',
        `/v1/ca/certificates?q=${serial?.toLowerCase()}`,
      );
      assert.deepEqual(
        [body.items[0]?.revoked?.reason, body.items[0]?.revoked?.by.name],
        ['superseded', 'certbot on git-1'],
      );
      const again = await certified(client, 'revoked.git-1.mesh');
      await proven(stranger, 'revoked.git-1.mesh');
      const other = await stranger.post(url, { certificate: derText(again.chain.split('-----END')[0] ?? '') });
      assert.equal(other.status, 200, other.text);
    });

    it('is revoked by its own key, without an account', async () => {
      const client = await AcmeClient.register(mesh, token.secret);
      const order = await proven(client, 'lost.git-1.mesh');
      const key = newKey();
      const pem = key.export({ format: 'pem', type: 'pkcs8' }).toString();
      const san = ['-subj', '/', '-addext', 'subjectAltName=DNS:lost.git-1.mesh'];
      const request = await openssl(['req', '-new', '-key', 'k.pem', ...san], { 'k.pem': pem });
      const done = await client.finalize(order, request);
      const { text } = await client.read(done.body.certificate);
      const certificate = derText(text.split('-----END')[0] ?? '');
      const holder = new AcmeClient(mesh, key);
      assert.equal((await holder.post(client.url('revoke-cert'), { certificate, reason: 1 })).status, 200);
      const trail = await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=acme.revoke&limit=1');
      assert.equal(trail.body.items[0]?.actor.name, 'holder of the private key');
    });

    it('has a window for its renewal, which is now when it was revoked', async () => {
      const client = await AcmeClient.register(mesh, token.secret);
      const { chain } = await certified(client, 'ari.git-1.mesh');
      const text = await openssl(['x509', '-noout', '-text', '-in', 'c.pem'], { 'c.pem': chain });
      const hexAfter = (label: string) =>
        (new RegExp(`${label}[^:\\n]*:\\s*([0-9A-Fa-f:]+)`).exec(text)?.[1] ?? '').replaceAll(':', '');
      const id = [hexAfter('Authority Key Identifier'), hexAfter('Serial Number')]
        .map((hex) => Buffer.from(hex, 'hex').toString('base64url'))
        .join('.');
      const info = () => mesh.ask<AcmeBody>('GET', `/v1/acme/renewal-info/${id}`, { token: null });
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
      assert.ok(Date.parse((await info()).body.suggestedWindow.end) < mesh.clock.now());
      assert.equal((await mesh.ask('GET', '/v1/acme/renewal-info/AAAA.BBBB', { token: null })).status, 404);
    });
  });

  it('limits how often a name is tried, and says when to come back', async () => {
    const client = await AcmeClient.register(mesh);
    using _ = mesh.clock.holdStill();
    const statuses = new Set<number>();
    for (let count = 0; count < 22; count++) {
      const order = await client.order('limit.git-1.mesh');
      if (order.status !== 201) throw new Error(order.text);
      const { body } = await client.read(order.body.authorizations[0] ?? '');
      shown.set(body.challenges[0]?.token ?? '', 'wrong');
      const got = await client.post(body.challenges[0]?.url ?? '', {});
      statuses.add(got.status);
      if (got.status !== 429) continue;
      assert.match(got.body.type, /:rateLimited$/);
      assert.ok(Number(got.headers.get('retry-after')) > 0);
    }
    assert.deepEqual([...statuses], [200, 429]);
  });
});

/** Certificates of clients, with a real nginx and a real authority. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { IngressAssignment } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { meshCa } from '../../../test/mesh-ca.ts';
import { type Asked, askByHttp2, askByTls, type Client } from '../../../test/tls-client.ts';

const WWW = 'www-1.example.com';
const OPEN = 'www-2.example.com';
const REFUSED = 'The gateway does not accept your client certificate.';
const MISSING = 'This service needs a client certificate.';
const OTHER_NAME = 'This service is not open to your client certificate.';
const GIT = { dns: ['git-1.mesh'], addresses: ['100.64.0.7'], uris: ['spiffe://mesh/node/git-1'] };
const ABSENT = new Map(
  ['names', 'spiffe-id', 'serial', 'fingerprint'].map((name) => [`x-client-certificate-${name}`, 'spoofed']),
);
const SPOOFED = Object.fromEntries([...ABSENT, ['x_client_certificate_names', 'spoofed'], ['client-cert', 'spoofed']]);

describe('a gateway that asks clients for certificates', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  let ca: Awaited<ReturnType<typeof meshCa>>;
  const chains = new Map<string, string>();
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
    ca = await meshCa();
    for (const name of [WWW, OPEN]) {
      const { cert, key } = ca.client({ names: { dns: [`${name}.mesh`] }, usages: ['server'] });
      scene.pems.set(cert, cert + key);
      chains.set(name, cert);
    }
  });
  after(() => scene[Symbol.asyncDispose]());

  type Tls = Partial<NonNullable<IngressAssignment['tls']>>;
  const guarded = (tls: Tls, over: Partial<IngressAssignment> = {}) =>
    ingressOf(1, {
      routes: [routeOf({ targets: [web.target(1)] })],
      tls: { chain: chains.get(WWW) ?? null, redirect: true, ...tls },
      ...over,
    });
  const open = () =>
    ingressOf(2, {
      routes: [routeOf({ targets: [web.target(1)] })],
      tls: { chain: chains.get(OPEN) ?? null, redirect: true },
    });
  const serve = (section: readonly IngressAssignment[], lists = ca.lists()) =>
    scene.server.serve({ section, ca: ca.root, lists: lists.join('') });
  const to = (asked: Partial<Asked>): Asked => ({ port: scene.https_port, servername: WWW, ...asked });
  /** Status and body of both versions of HTTP, which are always the same. */
  async function ask(client: Client = {}, asked: Partial<Asked> = {}): Promise<[number, string]> {
    const seen = await askByTls(to({ client, ...asked }));
    const seen2 = await askByHttp2(to({ client, ...asked }));
    assert.deepEqual([seen2.status, seen2.body], [seen.status, seen.body]);
    return [seen.status, seen.body];
  }
  const identity = () => {
    const { headers } = web.requests.at(-1) ?? assert.fail('it got no request');
    return Object.keys(headers)
      .filter((name) => /client[-_]cert/.test(name))
      .map((name) => [name, headers[name]]);
  };
  const problem = () => scene.server.observed().find(({ id }) => id === ingressId(1))?.problem;

  it('lets only those through that the mesh CA has certified as clients, and never asks the service about others', async () => {
    await serve([guarded({ clients: 'required' })]);
    const other = await meshCa();
    const yesterday = new Date(Date.now() - 3_600_000);
    const asked = web.requests.length;
    for (const [who, client, answer] of [
      ['without one', {}, MISSING],
      ['by another authority of the same name', other.client({ names: GIT }), REFUSED],
      ['expired', ca.client({ names: GIT, not_after: yesterday }), REFUSED],
      ['of a server', ca.client({ names: GIT, usages: ['server'] }), REFUSED],
      ['revoked', await revoked(), REFUSED],
    ] as const) {
      assert.deepEqual(await ask(client), [403, answer], who);
    }
    assert.equal(web.requests.length, asked);
    assert.deepEqual(await ask(ca.client({ names: GIT })), [200, 'web']);
    assert.equal((await scene.ask(WWW)).status, 308, 'by plain HTTP no client can show one');
    assert.equal(problem(), undefined);
  });

  async function revoked(): Promise<Client> {
    const client = ca.client({ names: GIT });
    await serve([guarded({ clients: 'required' })], ca.lists([client.serial]));
    return client;
  }

  it('tells the service who asks, and believes no client about it', async () => {
    const client = ca.client({ names: GIT });
    const { fingerprint256 } = new X509Certificate(client.cert);
    const expected = [
      ['x-client-certificate-names', 'DNS:git-1.mesh, IP:100.64.0.7, URI:spiffe://mesh/node/git-1'],
      ['x-client-certificate-spiffe-id', 'spiffe://mesh/node/git-1'],
      ['x-client-certificate-serial', client.serial],
      ['x-client-certificate-fingerprint', fingerprint256.replaceAll(':', '').toLowerCase()],
    ];
    for (const clients of ['required', 'optional'] as const) {
      await serve([guarded({ clients }), open()]);
      for (const by of [askByTls, askByHttp2]) {
        assert.equal((await by(to({ client, headers: SPOOFED }))).status, 200);
        assert.deepEqual(identity(), expected);
        assert.equal((await by(to({ servername: OPEN, client, headers: SPOOFED }))).status, 200);
        assert.deepEqual(identity(), [], 'where none is asked for');
      }
    }
    const odd = ca.client({ names: { dns: ['a.mesh'], uris: ['spiffe://mesh/node/a/x,y', 'spiffe://mesh/node/b'] } });
    assert.equal((await askByTls(to({ client: odd }))).status, 200);
    const [names, ...more] = identity();
    assert.deepEqual(names?.[1], 'DNS:a.mesh, URI:spiffe://mesh/node/a/x%2Cy, URI:spiffe://mesh/node/b');
    assert.deepEqual(
      more.map(([name]) => name),
      [expected[2]?.[0], expected[3]?.[0]],
      'of two, none is the one',
    );
  });

  it('lets those pass who show none where that is left to them, and refuses a bad one', async () => {
    await serve([guarded({ clients: 'optional', redirect: false })]);
    assert.deepEqual(await ask({}, { headers: SPOOFED }), [200, 'web']);
    assert.deepEqual(identity(), []);
    assert.equal((await scene.ask(WWW, { headers: SPOOFED })).status, 200);
    assert.deepEqual(identity(), []);
    assert.deepEqual(await ask(ca.client({ names: GIT, usages: ['server'] })), [403, REFUSED]);
  });

  it('lets through only those with a name that may, exactly as it is written', async () => {
    const client_names = ['web-1.mesh', 'spiffe://mesh/node/git-1'];
    const redirects = [{ path: '/old', to: '/new', status: 308 as const, keep: true }];
    await serve([guarded({ clients: 'required', client_names }, { redirects })]);
    const git = ca.client({ names: { dns: ['x.mesh'], uris: GIT.uris } });
    assert.deepEqual(await ask(git), [200, 'web']);
    assert.deepEqual(await ask(ca.client({ names: { dns: ['x.mesh', 'Web-1.mesh'] } })), [200, 'web']);
    assert.equal((await ask(git, { path: '/old' }))[0], 308);
    for (const names of [
      { dns: ['web-2.mesh'] },
      { dns: ['x.web-1.mesh'] },
      { dns: ['x.mesh'], uris: ['spiffe://mesh/node/git-1/x', 'spiffe://mesh/node/git-10'] },
    ]) {
      assert.deepEqual(await ask(ca.client({ names })), [403, OTHER_NAME], JSON.stringify(names));
      assert.deepEqual(await ask(ca.client({ names }), { path: '/old' }), [403, OTHER_NAME]);
    }
    const many = Array.from({ length: 64 }, (_, index) => `spiffe://mesh/node/${'a'.repeat(400)}-${index}`);
    await serve([guarded({ clients: 'optional', client_names: [...many, 'git-1.mesh'] })]);
    assert.deepEqual(await ask(ca.client({ names: GIT })), [200, 'web']);
    assert.deepEqual(await ask(ca.client({ names: { dns: ['x.mesh'] } })), [403, OTHER_NAME]);
    assert.deepEqual(await ask(), [200, 'web']);
  });

  it('refuses who has been revoked, also with a session from before', async () => {
    for (const { version, by_session_id } of [
      { version: 'TLSv1.2', by_session_id: true },
      { version: 'TLSv1.2', by_session_id: false },
      { version: 'TLSv1.3', by_session_id: false },
    ] as const) {
      const by = (asked: Partial<Asked>) => askByTls(to({ version, by_session_id, ...asked }));
      await serve([open()]);
      const elsewhere = await by({ servername: OPEN });
      const resumed = await by({ servername: OPEN, session: elsewhere.session });
      assert.equal(resumed.isReused, true, 'sessions go on where no client is asked for a certificate');
      await serve([guarded({ clients: 'required' }), open()]);
      const client = ca.client({ names: GIT });
      const first = await by({ client });
      assert.equal(first.status, 200);
      const again = await by({ client, session: first.session });
      assert.deepEqual([again.status, again.isReused], [200, false], version);
      await serve([guarded({ clients: 'required' }), open()], ca.lists([client.serial]));
      for (const session of [first.session, again.session, elsewhere.session]) {
        const { status, body, isReused } = await by({ client, session });
        assert.deepEqual([status, body, isReused], [403, REFUSED, false], version);
        assert.equal((await by({ session })).body, MISSING);
      }
    }
  });

  it('answers no request on a connection whose handshake was for another name', async () => {
    for (const clients of ['required', 'optional'] as const) {
      await serve([guarded({ clients }), open()]);
      const asked = web.requests.length;
      for (const client of [{}, ca.client({ names: GIT })]) {
        for (const host of [WWW, WWW.toUpperCase(), `${WWW}.`, `${WWW}:${scene.https_port}`]) {
          assert.equal((await ask(client, { servername: OPEN, host }))[0], 421, host);
        }
      }
      assert.equal(web.requests.length, asked);
      assert.deepEqual(await ask(ca.client({ names: GIT }), { host: `${WWW}:${scene.https_port}` }), [200, 'web']);
    }
  });

  it('answers calls of gRPC in their own form', async () => {
    await serve([guarded({ clients: 'required', client_names: ['web-1.mesh'] })]);
    const headers = { 'content-type': 'application/grpc+proto' };
    for (const [client, status, message] of [
      [{}, '16', MISSING],
      [ca.client({ names: GIT, usages: ['server'] }), '7', REFUSED],
      [ca.client({ names: GIT }), '7', OTHER_NAME],
    ] as const) {
      const { headers: got, status: http } = await askByHttp2(to({ client, headers }));
      assert.deepEqual([http, got['grpc-status'], got['grpc-message']], [200, status, message]);
    }
  });

  it('refuses everyone while a list is missing or out of date, and says so', async () => {
    const client = ca.client({ names: GIT });
    await scene.server.serve({ section: [guarded({ clients: 'required' })], ca: ca.root });
    assert.match(problem() ?? '', /not served over TLS: .* the revocation lists of the mesh are not known yet/);
    await assert.rejects(ask(client));
    const [, intermediate = ''] = ca.lists();
    await serve([guarded({ clients: 'required' })], [intermediate]);
    assert.equal(problem(), 'certificates of clients are refused: a revocation list of the mesh is missing');
    assert.deepEqual(await ask(client), [403, REFUSED]);
    const unused = (await meshCa('next')).root;
    await scene.server.serve({
      section: [guarded({ clients: 'required' })],
      ca: ca.root + unused,
      lists: ca.lists().join(''),
    });
    assert.deepEqual([problem(), await ask(client)], [undefined, [200, 'web']], 'of a root that signs nothing yet');
    const ended = new Date(Math.floor(Date.now() / 1000) * 1000 - 1000);
    await serve([guarded({ clients: 'optional' })], ca.lists([], ended));
    assert.match(problem() ?? '', new RegExp(`is out of date since ${ended.toISOString().slice(0, 19)}Z$`));
    assert.deepEqual(await ask(client), [403, REFUSED]);
    assert.deepEqual(await ask(), [200, 'web']);
    await serve([guarded({ clients: 'required' })]);
    assert.equal(problem(), undefined);
    scene.setAhead(366 * 86_400_000);
    assert.match(problem() ?? '', /is out of date since/, 'it becomes so by itself');
    scene.setAhead(0);
  });
});

/** Who asks, from inside the mesh, with a real nginx. All of 127.0.0.0/8 is this host, so addresses there stand for those in the mesh. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';
import type { IngressAssignment } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressOf, routeOf, trafficOf } from '../../../test/ingress-section.ts';
import { meshCa } from '../../../test/mesh-ca.ts';
import { askByHttp2, askByTls, type Client } from '../../../test/tls-client.ts';
import { identitiesText, NO_IDENTITIES } from './identities.ts';

const WWW = 'www-1.example.com';
const OPEN = 'www-2.example.com';
const VAULT = 'www-3.example.com';
/** Of the gateway in the mesh, of two of its peers, and of others. */
const GATEWAY = '127.0.64.1';
const OUTSIDE = '127.0.0.1';
const WEB_7 = '127.0.64.7';
const WEB_8 = '127.0.64.8';
const STRANGER = '127.0.64.9';
const PREFIX = 'spiffe://mesh.example/node/';
const SPOOFED = {
  'x-mesh-node': 'root',
  'X-MESH-NODE-SPIFFE-ID': `${PREFIX}root`,
  x_mesh_node: 'root',
  'x-mesh_node': 'root',
};

const card = (name: string, address: string) => ({ name, address: `${address}/32`, address6: 'fd00::7/128' });
const self = { address: `${GATEWAY}/32`, address6: 'fd00::1/128' };
const peers = [card('web-7', WEB_7), { ...card('web-8', WEB_8), address6: 'fd00::8/128' }];
const known = (all = peers) => identitiesText({ self, peers: all, spiffe_prefix: PREFIX });

for (const setting of ['none', 'balancers', 'shared port'] as const) {
  describe(`visitors from the mesh, with ${setting} in front`, { timeout: 120_000 }, () => {
    let scene: GatewayScene;
    let web: Service;
    let chain: string;
    before(async () => {
      scene = await gatewayScene(setting === 'balancers' ? { proxy_protocol: ['127.0.0.0/8'] } : {});
      web = await scene.service('web');
      chain = (await scene.certificate(WWW)).chain;
    });
    after(() => scene[Symbol.asyncDispose]());

    const asking = (over: Partial<IngressAssignment> = {}) =>
      ingressOf(1, {
        routes: [routeOf({ targets: [web.target(1)] })],
        mesh_identity: { spiffe_prefix: PREFIX },
        tls: { chain, redirect: false },
        ...over,
      });
    const vault = () =>
      ingressOf(3, { hostname: VAULT, kind: 'tls', routes: [routeOf({ protocol: 'tcp', targets: [web.target(1)] })] });
    async function serve(...section: readonly IngressAssignment[]) {
      const all = setting === 'shared port' ? [...section, vault()] : section;
      await scene.server.identify(known());
      await scene.server.serve({ section: all, ca: undefined, lists: undefined });
    }
    /** What the service learned of a request from one address to another. */
    async function seen(from: string, to: string, host = WWW, headers: Readonly<Record<string, string>> = {}) {
      const socket = connect({ host: to, port: scene.https_port, localAddress: from });
      if (setting === 'balancers') socket.write(`PROXY TCP4 ${WEB_7} ${GATEWAY} 40000 ${scene.https_port}\r\n`);
      const secure = connectTls({ socket, servername: WWW, rejectUnauthorized: false });
      const lines = Object.entries({ ...SPOOFED, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
      secure.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${lines.join('')}\r\n`);
      let answer = '';
      secure.setEncoding('utf8').on('data', (piece: string) => {
        answer += piece;
      });
      await once(secure, 'end');
      socket.destroy();
      assert.match(answer, /^HTTP\/1\.1 200/, answer);
      return learned();
    }
    function learned() {
      const { headers } = web.requests.at(-1) ?? assert.fail('it got no request');
      return Object.entries(headers).filter(([name]) => /mesh.node/.test(name));
    }
    const WEB_7_LEARNED = [
      ['x-mesh-node', 'web-7'],
      ['x-mesh-node-spiffe-id', `${PREFIX}web-7`],
    ];

    if (setting === 'balancers') {
      it('are not known: what a balancer says of an address is no proof', async () => {
        await serve(asking());
        assert.deepEqual(await seen(WEB_7, GATEWAY), []);
        assert.deepEqual(await seen(OUTSIDE, GATEWAY), []);
      });
      return;
    }

    it('are known by their address, to the services that ask, and nothing that a client claims is', async () => {
      const { mesh_identity: _, ...silent } = asking();
      await serve(asking(), { ...silent, id: ingressOf(2).id, hostname: OPEN });
      assert.deepEqual(await seen(WEB_7, GATEWAY), WEB_7_LEARNED);
      assert.deepEqual(await seen(STRANGER, GATEWAY), [], 'no peer');
      assert.deepEqual(await seen(OUTSIDE, OUTSIDE), [], 'from outside');
      assert.deepEqual(await seen(WEB_7, OUTSIDE), [], 'to an address outside of the mesh');
      assert.deepEqual(await seen(WEB_7, GATEWAY, OPEN), [], 'of an ingress that does not ask');
      assert.deepEqual(await seen(OUTSIDE, GATEWAY, WWW, { 'X-Forwarded-For': WEB_7, 'X-Real-IP': WEB_7 }), []);
    });

    it('are not known where the connection is that of a proxy which the ingress believes', async () => {
      await serve(asking({ proxies: { networks: [`${WEB_8}/32`], header: 'X-Forwarded-For' } }));
      assert.deepEqual(await seen(WEB_8, GATEWAY), [], 'its own word');
      assert.deepEqual(await seen(WEB_8, GATEWAY, WWW, { 'X-Forwarded-For': WEB_7 }), [], 'of whom it names');
      assert.deepEqual(await seen(WEB_7, GATEWAY), WEB_7_LEARNED, 'another node');
      assert.deepEqual(await seen(WEB_7, GATEWAY, WWW, { 'X-Forwarded-For': WEB_8 }), WEB_7_LEARNED);
    });

    it('lose their name when they leave, and an address takes the name of its next node, without a reload', async () => {
      await serve(asking());
      const { generation } = scene.server;
      const workers = await scene.workers();
      await scene.server.identify(known([card('web-8', WEB_8)]));
      assert.deepEqual(await seen(WEB_7, GATEWAY), []);
      await scene.server.identify(known([card('db-1', WEB_7)]));
      assert.deepEqual((await seen(WEB_7, GATEWAY))[0], ['x-mesh-node', 'db-1']);
      await scene.server.identify(NO_IDENTITIES);
      assert.deepEqual(await seen(WEB_7, GATEWAY), []);
      assert.equal(scene.server.generation, generation);
      assert.deepEqual(await scene.workers(), workers);
    });

    it('are known to an nginx that was started anew, and to one that another agent takes over', async () => {
      await serve(asking());
      await scene.nginx.end();
      await scene.server.serve({ section: [asking()], ca: undefined, lists: undefined });
      assert.deepEqual(await seen(WEB_7, GATEWAY), WEB_7_LEARNED);
      const next = scene.another();
      await next.server.identify(known([card('web-8', WEB_8)]));
      await next.server.serve({ section: [asking()], ca: undefined, lists: undefined });
      assert.deepEqual(await seen(WEB_7, GATEWAY), []);
      assert.deepEqual((await seen(WEB_8, GATEWAY))[0], ['x-mesh-node', 'web-8']);
      assert.equal(await next.server.fault(), null);
      await next.folder.write('identities', known([card('root', WEB_7)]));
      assert.match((await next.server.fault()) ?? '', /identities was changed/);
    });
  });
}

describe('limits by identity', { timeout: 120_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  let ca: Awaited<ReturnType<typeof meshCa>>;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
    ca = await meshCa();
    await scene.server.identify(known());
  });
  after(() => scene[Symbol.asyncDispose]());

  async function ask(from: string, to: string): Promise<number | undefined> {
    const sent = request({ host: to, port: scene.http_port, localAddress: from, headers: { host: WWW }, agent: false });
    const [answer] = await once(sent.end(), 'response');
    answer.resume();
    return answer.statusCode;
  }

  it('count a node together, and others by address', async () => {
    const limits = { requests: { rate: '1/m', burst: 1 }, connections: 5, by: 'identity' as const };
    await scene.server.serve({
      section: [ingressOf(1, { routes: [routeOf({ targets: [web.target(1)], traffic: trafficOf({ limits }) })] })],
      ca: undefined,
    });
    const both = [card('web-7', WEB_7), card('web-7', WEB_8)]; // one node with two addresses
    await scene.server.identify(known(both));
    const statuses: (number | undefined)[] = [];
    for (const from of [WEB_7, WEB_8, WEB_7, WEB_8]) statuses.push(await ask(from, GATEWAY));
    assert.deepEqual(statuses, [200, 200, 429, 429]);
    assert.equal(await ask(STRANGER, GATEWAY), 200, 'another address');
    assert.equal(await ask(WEB_7, OUTSIDE), 200, 'the same address, and not by the mesh: it counts as an address');
    assert.equal(
      web.requests.at(-1)?.headers['x-mesh-node'],
      undefined,
      'nothing is said to a service that does not ask',
    );
  });

  it('count the holder of a certificate together, and a refused one not at all', async () => {
    const { cert, key } = ca.client({ names: { dns: [WWW] }, usages: ['server'] });
    scene.pems.set(cert, cert + key);
    const limits = { requests: { rate: '1/m', burst: 1 }, connections: null, by: 'identity' as const };
    await scene.server.serve({
      section: [
        ingressOf(4, {
          hostname: WWW,
          routes: [routeOf({ targets: [web.target(1)], traffic: trafficOf({ limits }) })],
          tls: { chain: cert, redirect: true, clients: 'required' },
        }),
      ],
      ca: ca.root,
      lists: ca.lists().join(''),
    });
    const client = (name: string): Client => ca.client({ names: { dns: [`${name}.mesh`] } });
    const [one, other] = [client('one'), client('other')];
    const to = (by: Client = one) => ({ port: scene.https_port, servername: WWW, client: by });
    for (let times = 0; times < 4; times += 1) assert.equal((await askByTls(to({}))).status, 403);
    assert.deepEqual(
      [await askByTls(to()), await askByHttp2(to()), await askByTls(to()), await askByTls(to(other))].map(
        ({ status }) => status,
      ),
      [200, 200, 429, 200],
    );
  });
});

/** TLS connections that a service ends itself, on the port where nginx ends those of others. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { type RequestOptions, request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { DEFAULT_TRAFFIC } from '@meshwork/contract/vocabulary';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { until } from '../../../test/namespaces.ts';
import { clientOn, type StreamService, streamService } from '../../../test/stream-service.ts';

const [WWW, VAULT] = ['www-1.example.com', 'www-2.example.com'];

describe('TLS that is passed through', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  let vault: StreamService;
  let chain: string;
  let vault_cert: string;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
    chain = (await scene.certificate(WWW)).chain;
    const own = await scene.certificate(VAULT);
    vault_cert = own.cert;
    vault = await streamService('vault', { tls: own });
  });
  after(async () => {
    await vault[Symbol.asyncDispose]();
    await scene[Symbol.asyncDispose]();
  });

  const serve = (...section: readonly ReturnType<typeof ingressOf>[]) => scene.server.serve({ section, ca: undefined });
  const http = () => ingressOf(1, { tls: { chain, redirect: false }, routes: [routeOf({ targets: [web.target(1)] })] });
  const through = (over: Parameters<typeof routeOf>[0] = {}, draining = false) =>
    ingressOf(2, {
      kind: 'tls',
      draining,
      routes: [routeOf({ protocol: 'tcp', check: { kind: 'none' }, targets: [vault.target(2)], ...over })],
    });

  /** Undefined: there was no handshake. */
  async function dial(servername: string, over: ConnectionOptions = {}): Promise<TLSSocket | undefined> {
    const to = { host: '127.0.0.1', port: scene.https_port, servername, rejectUnauthorized: false, ...over };
    const socket = connect(to);
    const closed = new Promise<undefined>((resolve) => {
      socket.on('error', () => resolve(undefined));
      socket.on('close', () => resolve(undefined));
    });
    return await Promise.race([
      once(socket, 'secureConnect').then(
        () => socket,
        () => undefined,
      ),
      closed,
    ]);
  }

  async function passes(servername = VAULT): Promise<void> {
    const socket = (await dial(servername)) ?? assert.fail();
    assert.equal(await clientOn(socket).say('x'), 'vault:x');
    socket.destroy();
  }

  async function ask(over: RequestOptions = {}) {
    const asked = request({
      host: '127.0.0.1',
      port: scene.https_port,
      servername: WWW,
      headers: { host: WWW },
      rejectUnauthorized: false,
      agent: false,
      ...over,
    });
    asked.end();
    const [answer] = await once(asked, 'response');
    let text = '';
    for await (const piece of answer.setEncoding('utf8')) text += piece;
    return { status: answer.statusCode as number, text };
  }

  it('reaches the service with its own certificate, beside names whose TLS nginx ends', async () => {
    await serve(http(), through());
    const socket = (await dial(VAULT, { rejectUnauthorized: true, ca: vault_cert })) ?? assert.fail();
    const speaking = clientOn(socket);
    assert.equal(await speaking.say('secret'), 'vault:secret');
    socket.destroy();
    assert.deepEqual(await ask(), { status: 200, text: 'web' });
    assert.equal((await scene.ask(WWW)).body, 'web', 'by plain HTTP as before');
    const { headers } =
      web.requests.findLast(({ headers: one }) => one['x-forwarded-proto'] === 'https') ?? assert.fail();
    assert.equal(headers['x-forwarded-for'], '127.0.0.1');
    assert.equal(headers['x-real-ip'], '127.0.0.1');
    assert.equal(headers['x-forwarded-port'], String(scene.https_port));
    await passes('WWW-2.Example.COM');
    assert.equal(await scene.server.fault(), null);
  });

  it('tells the service the port of HTTPS, whether that is shared or not, of a name that has no plain HTTP', async () => {
    const alone = ingressOf(1, { ...http(), tls: { chain, redirect: true } });
    for (const section of [[alone, through()], [alone]]) {
      await serve(...section);
      assert.deepEqual(await ask(), { status: 200, text: 'web' });
      assert.equal(web.requests.at(-1)?.headers['x-forwarded-port'], String(scene.https_port));
    }
  });

  it('gives other names, and connections without one, no handshake', async () => {
    await serve(http(), through());
    for (const name of ['other.example.com', 'x.www-2.example.com', ''])
      assert.equal(await dial(name), undefined, name);
    const plain = connectPlain(scene.https_port, '127.0.0.1');
    plain.write('GET / HTTP/1.1\r\nHost: www-1.example.com\r\n\r\n');
    const [piece] = await once(plain, 'data');
    assert.match(String(piece), /^HTTP\/1\.1 400 /);
    plain.destroy();
    await serve(through());
    for (const name of [WWW, '']) assert.equal(await dial(name), undefined, 'and where nothing else is served');
    await passes();
  });

  it('leaves HTTP/2 and sessions to those names whose TLS nginx ends', async () => {
    await serve(http(), through());
    const session = connectHttp2(`https://127.0.0.1:${scene.https_port}`, {
      servername: WWW,
      rejectUnauthorized: false,
    });
    const stream = session.request({ ':path': '/', ':authority': WWW });
    const [headers] = await once(stream, 'response');
    assert.equal(headers[':status'], 200);
    session.destroy();
    const first = (await dial(WWW)) ?? assert.fail();
    const [ticket] = await once(first, 'session');
    first.destroy();
    const again = (await dial(WWW, { session: ticket as Buffer })) ?? assert.fail();
    assert.ok(again.isSessionReused());
    again.destroy();
  });

  it('is counted by the connection, and drains', async () => {
    await serve(http(), through());
    const count = async () => {
      await scene.server.look();
      return scene.server.observed().find(({ id }) => id === ingressId(2))?.connections;
    };
    const held = [await dial(VAULT), await dial(VAULT)].map((socket) => clientOn(socket ?? assert.fail()));
    for (const each of held) await each.say('x');
    await until('both are counted', async () => (await count()) === 2);
    scene.setAhead(-60_000);
    await serve(http(), through({}, true));
    scene.setAhead(0);
    assert.equal(await dial(VAULT), undefined);
    assert.equal(await held[0]?.say('y'), 'vault:y');
    assert.equal(scene.server.observed().find(({ id }) => id === ingressId(2))?.refuses, true);
    await serve(http());
    assert.equal(await held[0]?.say('z'), 'vault:z', 'also when the ingress is gone');
    assert.equal(await count(), 2);
    assert.equal(await dial(VAULT), undefined);
    for (const { socket } of held) socket.destroy();
    await until('none is left', async () => (await count()) === undefined);
    assert.deepEqual(await scene.folder.names('sockets'), ['https.sock']);
  });

  it('is let in by lists of networks and limits, by the address of the client', async () => {
    const networks = { allow: ['127.0.5.0/24'], deny: [] };
    const limits = { requests: null, connections: 1 };
    await serve(http(), through({ traffic: { ...DEFAULT_TRAFFIC, networks, limits } }));
    assert.equal(await dial(VAULT), undefined);
    const inside = (await dial(VAULT, { localAddress: '127.0.5.1' } as ConnectionOptions)) ?? assert.fail();
    await clientOn(inside).say('x');
    assert.equal(await dial(VAULT, { localAddress: '127.0.5.1' } as ConnectionOptions), undefined);
    inside.destroy();
  });

  it('leaves it to an ingress which proxies it believes about the address of a client, and only them', async () => {
    const proxies = { networks: ['127.0.9.0/24'], header: 'X-Forwarded-For' };
    const believing = { ...http(), proxies };
    const seenFrom = async (localAddress: string) => {
      const headers = { host: WWW, 'x-forwarded-for': '6.6.6.6, 203.0.113.9' };
      assert.equal((await ask({ localAddress, headers })).status, 200);
      return web.requests.at(-1)?.headers['x-forwarded-for'];
    };
    const other = ingressOf(4, { routes: [routeOf({ targets: [web.target(1)] })] });
    for (const section of [
      [believing, other],
      [believing, other, through()],
      [believing, other],
    ]) {
      await serve(...section);
      assert.equal(await seenFrom('127.0.9.1'), '203.0.113.9');
      assert.equal(await seenFrom('127.0.0.1'), '127.0.0.1');
      const elsewhere = { localAddress: '127.0.9.1', headers: { host: 'no.example.com' } };
      assert.equal((await ask(elsewhere)).status, 421);
    }
  });

  it('begins and ends on a port that is in use, and no connection is lost', async () => {
    await serve(http());
    let isOver = false;
    const counts: Record<string, number> = {};
    const client = async () => {
      while (!isOver) {
        const { status } = await ask();
        counts[status] = (counts[status] ?? 0) + 1;
      }
    };
    const clients = [client(), client(), client()];
    const held = (await dial(WWW)) ?? assert.fail();
    for (let number = 0; number < 3; number += 1) {
      await serve(http(), through());
      await passes();
      await serve(http());
    }
    isOver = true;
    await Promise.all(clients);
    assert.deepEqual(Object.keys(counts), ['200']);
    assert.ok((counts[200] ?? 0) > 100, `${counts[200]} requests`);
    held.destroy();
  });

  it('is left out in words where nginx ends TLS for its name', async () => {
    const own = await scene.certificate(VAULT);
    const ended = ingressOf(3, { hostname: VAULT, tls: { chain: own.chain, redirect: false } });
    await serve(http(), through(), ended);
    const problems = scene.server.observed().flatMap(({ problem }) => problem ?? []);
    assert.deepEqual(problems, ['this gateway ends TLS for that name itself, for another ingress']);
    assert.deepEqual(await ask(), { status: 200, text: 'web' });
  });

  it('outlives a crash of nginx: sockets that lie around are no hindrance', async () => {
    await serve(http(), through());
    const master = (await scene.nginx.pid()) ?? assert.fail();
    for (const pid of [master, ...(await scene.workers())]) process.kill(pid, 'SIGKILL');
    await until('it is gone', async () => (await scene.nginx.pid()) === undefined);
    await serve(http(), through());
    assert.deepEqual(await ask(), { status: 200, text: 'web' });
    await passes();
  });
});

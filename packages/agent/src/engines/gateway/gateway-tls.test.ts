/** TLS on both sides of a gateway: what clients are shown, and which nodes are believed. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf, targetOf } from '../../../test/ingress-section.ts';
import { newFolder } from '../../../test/new-folder.ts';
import { type Certificate, certificate } from '../../../test/tls-server.ts';

const WWW = 'www-1.example.com';

describe('TLS of a gateway', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  let shown: Certificate & { readonly chain: string };
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
    shown = await scene.certificate(WWW);
  });
  after(() => scene[Symbol.asyncDispose]());

  const routes = () => [routeOf({ targets: [web.target(1)] })];
  const secure = (redirect: boolean, chain: string | null = shown.chain) =>
    ingressOf(1, { routes: routes(), tls: { chain, redirect } });
  const serve = (...section: readonly ReturnType<typeof ingressOf>[]) => scene.server.serve({ section, ca: undefined });

  async function askSecurely(hostname: string, host = hostname) {
    const to = { host: '127.0.0.1', port: scene.https_port, servername: hostname, ca: shown.cert };
    const asked = request({ ...to, headers: { host }, agent: false, path: '/x' });
    asked.end();
    const [response] = await once(asked, 'response');
    let body = '';
    for await (const piece of response.setEncoding('utf8')) body += piece;
    const certificate: PeerCertificate = (response.socket as TLSSocket).getPeerCertificate();
    return { status: response.statusCode as number, body, serial: certificate.serialNumber };
  }

  it('serves both ways, or sends clients on to HTTPS', async () => {
    await serve(secure(false));
    const { status, body } = await askSecurely(WWW);
    assert.deepEqual([status, body], [200, 'web']);
    assert.equal(web.requests.at(-1)?.headers['x-forwarded-proto'], 'https');
    assert.equal((await scene.ask(WWW)).status, 200);
    await serve(secure(true));
    assert.equal((await askSecurely(WWW)).status, 200);
    const { status: sent, headers } = await scene.ask(WWW, { path: '/a?b=c', method: 'POST', body: 'x' });
    assert.deepEqual([sent, headers.location], [308, `https://${WWW}:${scene.https_port}/a?b=c`]);
  });

  it('speaks HTTP/2, and no TLS before 1.2', async () => {
    await serve(secure(true));
    const session = connectHttp2(`https://127.0.0.1:${scene.https_port}`, { servername: WWW, ca: shown.cert });
    const stream = session.request({ ':path': '/', ':authority': WWW });
    const [headers] = await once(stream, 'response');
    assert.equal(headers[':status'], 200);
    stream.destroy();
    session.destroy();
    const old = { host: '127.0.0.1', port: scene.https_port, servername: WWW, ca: shown.cert };
    const socket = connect({ ...old, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
    await assert.rejects(once(socket, 'secureConnect'), /alert|version|protocol/i);
  });

  it('shows no certificate for a name that is not its own, and serves none on a connection for another', async () => {
    await serve(secure(false));
    await assert.rejects(askSecurely('other.example.com'), /unrecognized name|alert|handshake/i);
    assert.equal((await askSecurely(WWW, 'other.example.com')).status, 421);
  });

  it('takes a renewed certificate without a reload, and keeps its key from others', async () => {
    await serve(secure(false));
    const [workers, { serial }] = [await scene.workers(), await askSecurely(WWW)];
    shown = await scene.certificate(WWW);
    await serve(secure(false));
    const renewed = await askSecurely(WWW);
    assert.notEqual(renewed.serial, serial);
    assert.deepEqual(await scene.workers(), workers);
    const file = join(scene.path, 'tls', `${ingressId(1)}.pem`);
    assert.equal(((await stat(file)).mode & 0o777).toString(8), '640');
    assert.match(await readFile(file, 'utf8'), /PRIVATE KEY/);
  });

  it('serves plain HTTP until there is a certificate, and says what is missing', async () => {
    const problem = () => scene.server.observed()[0]?.problem;
    await serve(secure(false, null));
    assert.equal(problem(), 'it is not served over TLS: it has no certificate yet');
    assert.equal((await scene.ask(WWW)).body, 'web');
    await assert.rejects(askSecurely(WWW), /ECONNREFUSED|socket/);
    await serve(secure(false, 'of another key'));
    assert.match(problem() ?? '', /its certificate is for another key/);
    assert.deepEqual(
      scene.server.observed().map(({ id }) => id),
      [ingressId(1)],
    );
  });

  it('speaks TLS with nodes that prove their name by the mesh CA, and with no others', async () => {
    await using folder = await newFolder();
    const root = await certificate(folder.path, 'root', '');
    const other = await certificate(folder.path, 'other-root', '');
    const ports: Record<string, number> = {};
    const servers = [];
    for (const [name, named, by] of [
      ['right', 'DNS:web-1.mesh', root],
      ['wrong-name', 'DNS:web-2.mesh', root],
      ['wrong-root', 'DNS:web-1.mesh', other],
    ] as const) {
      const { cert, key } = await certificate(folder.path, name, named, by);
      const server = createServer({ cert, key }, (_, answer) => answer.end(name)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      servers.push(server);
      ports[name] = (server.address() as AddressInfo).port;
    }
    const to = (name: string) => {
      const targets = [targetOf(1, { address: '127.0.0.1', port: ports[name] ?? 0 })];
      return [ingressOf(1, { routes: [routeOf({ targets, protocol: 'https' })] })];
    };
    try {
      await scene.server.serve({ section: to('right'), ca: root.cert });
      assert.deepEqual(await scene.tally(WWW, 3), { right: 3 });
      for (const name of ['wrong-name', 'wrong-root']) {
        await scene.server.serve({ section: to(name), ca: root.cert });
        assert.equal((await scene.ask(WWW)).status, 502, name);
      }
      await scene.server.serve({ section: to('wrong-root'), ca: root.cert + other.cert });
      assert.deepEqual(await scene.tally(WWW, 2), { 'wrong-root': 2 }, 'other roots, and so another configuration');
      await scene.server.serve({ section: to('right'), ca: undefined });
      assert.match(scene.server.observed()[0]?.problem ?? '', /the roots of the mesh are not known yet/);
      assert.equal((await scene.ask(WWW)).status, 503);
    } finally {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    }
  });
});

/** Load balancers in front of a gateway that say by the PROXY protocol who connects. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { DEFAULT_TRAFFIC } from '@meshwork/contract/vocabulary';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { clientOn, type StreamService, streamService } from '../../../test/stream-service.ts';

const WWW = 'www-1.example.com';
const VAULT = 'www-3.example.com';
/** Of the load balancers. */
const TRUSTED = '127.0.9.1';

describe('a gateway behind load balancers', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  let raw: StreamService;
  let vault: StreamService;
  let chain: string;
  before(async () => {
    scene = await gatewayScene({ proxy_protocol: ['127.0.9.0/24'] });
    web = await scene.service('web');
    chain = (await scene.certificate(WWW)).chain;
    raw = await streamService('raw');
    vault = await streamService('vault', { tls: await scene.certificate(VAULT) });
  });
  after(async () => {
    await raw[Symbol.asyncDispose]();
    await vault[Symbol.asyncDispose]();
    await scene[Symbol.asyncDispose]();
  });

  const serve = (...section: readonly ReturnType<typeof ingressOf>[]) => scene.server.serve({ section, ca: undefined });
  const http = () => ingressOf(1, { tls: { chain, redirect: false }, routes: [routeOf({ targets: [web.target(1)] })] });
  const tcp = (over: Parameters<typeof routeOf>[0] = {}) =>
    ingressOf(2, {
      kind: 'tcp',
      port: scene.stream_port,
      routes: [routeOf({ protocol: 'tcp', check: { kind: 'none' }, targets: [raw.target(2)], ...over })],
    });
  const through = (over: Parameters<typeof routeOf>[0] = {}) =>
    ingressOf(3, {
      kind: 'tls',
      routes: [routeOf({ protocol: 'tcp', check: { kind: 'none' }, targets: [vault.target(3)], ...over })],
    });

  /** A connection from `from`, with what a load balancer says of the client before it. */
  const dial = (port: number, from: string, client = '203.0.113.9') => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: from });
    socket.on('error', () => undefined);
    const [family, here] = client.includes(':') ? ['TCP6', '2001:db8::1'] : ['TCP4', '198.51.100.1'];
    socket.write(`PROXY ${family} ${client} ${here} 40000 ${port}\r\n`);
    return socket;
  };
  const GET = `GET / HTTP/1.1\r\nHost: ${WWW}\r\nConnection: close\r\n\r\n`;
  const clientSeen = () => web.requests.at(-1)?.headers['x-forwarded-for'];

  async function byTls(port: number, from: string, servername: string, text: string): Promise<string> {
    const socket = connectTls({ socket: dial(port, from), servername, rejectUnauthorized: false });
    const speaking = clientOn(socket);
    const said = await speaking.say(text);
    socket.destroy();
    return said;
  }

  it('believes them, and no other, about the address of a client', async () => {
    await serve(http());
    for (const [from, seen] of [
      [TRUSTED, '203.0.113.9'],
      ['127.0.0.1', '127.0.0.1'],
    ] as const) {
      const plain = clientOn(dial(scene.http_port, from));
      assert.match(await plain.say(GET, /web/), /200 OK/);
      assert.equal(clientSeen(), seen);
      plain.socket.destroy();
      assert.match(await byTls(scene.https_port, from, WWW, GET), /200 OK/);
      assert.equal(clientSeen(), seen);
    }
  });

  it('answers no connection that does not begin so', async () => {
    await serve(http(), tcp());
    for (const port of [scene.http_port, scene.stream_port]) {
      const { socket, ended } = clientOn(connect({ host: '127.0.0.1', port, localAddress: TRUSTED }));
      socket.write(GET);
      assert.equal(await ended, '');
      socket.destroy();
    }
  });

  it('also where TLS is passed through, beside names whose TLS nginx ends', async () => {
    const networks = { allow: ['203.0.113.0/24'], deny: [] };
    await serve(http(), through({ traffic: { ...DEFAULT_TRAFFIC, networks } }));
    assert.equal(await byTls(scene.https_port, TRUSTED, VAULT, 'x'), 'vault:x');
    assert.equal(await byTls(scene.https_port, '127.0.0.1', VAULT, 'x'), '', 'its own address counts');
    for (const [from, seen] of [
      [TRUSTED, '203.0.113.9'],
      ['127.0.0.1', '127.0.0.1'],
    ] as const) {
      assert.match(await byTls(scene.https_port, from, WWW, GET), /200 OK/);
      assert.equal(clientSeen(), seen);
    }
  });

  it('counts connections of IPv6 by the /64 of a client', async () => {
    const limits = { requests: null, connections: 1 };
    await serve(tcp({ traffic: { ...DEFAULT_TRAFFIC, limits } }));
    const held = clientOn(dial(scene.stream_port, TRUSTED, '2001:db8:0:7::1'));
    assert.equal(await held.say('x'), 'raw:x');
    for (const [client, answer] of [
      ['2001:db8:0:7:ffff::2', ''],
      ['2001:db8::7:0:0:0:9', ''],
      ['2001:db8::7:0:0:9', 'raw:x'],
      ['2001:db8:0:8::1', 'raw:x'],
    ] as const) {
      const other = clientOn(dial(scene.stream_port, TRUSTED, client));
      assert.equal(await other.say('x'), answer, client);
      other.socket.destroy();
    }
    held.socket.destroy();
  });

  it('says to a service what they said', async () => {
    await serve(http(), tcp({ proxy_protocol: true }));
    for (const [from, seen] of [
      [TRUSTED, '203\\.0\\.113\\.9'],
      ['127.0.0.1', '127\\.0\\.0\\.1'],
    ] as const) {
      const speaking = clientOn(dial(scene.stream_port, from));
      assert.match(await speaking.say('hello', /hello/), new RegExp(`^raw:PROXY TCP4 ${seen} `));
      speaking.socket.destroy();
    }
  });
});

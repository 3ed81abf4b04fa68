/** Whose word on the address of a client a real nginx believes. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../test/ingress-section.ts';

const WWW = 'www-1.example.com';

describe('proxies in front of a gateway', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let services: Service[];
  before(async () => {
    scene = await gatewayScene();
    services = await Promise.all(['a', 'b', 'c', 'd'].map((name) => scene.service(name)));
  });
  after(() => scene[Symbol.asyncDispose]());

  const serve = (proxies: { networks: string[]; header: string } | null) => {
    const targets = services.map((service, index) => service.target(index + 1));
    const routes = [routeOf({ targets, balance: 'hash:address', check: { kind: 'none' } })];
    return scene.server.serve({ section: [ingressOf(1, { routes, proxies })], ca: undefined });
  };
  /** Whom the service takes for the client. */
  const seen = async (...lines: readonly string[]) => {
    for (const { requests } of services) requests.length = 0;
    const socket = connect(scene.http_port, '127.0.0.1').resume();
    socket.write(
      `GET / HTTP/1.1\r\nHost: ${WWW}\r\nConnection: close\r\n${lines.map((one) => `${one}\r\n`).join('')}\r\n`,
    );
    await once(socket, 'close');
    const [found] = services.flatMap(({ requests }) => requests.map(({ headers }) => headers));
    assert.ok(found !== undefined);
    assert.equal(found['x-real-ip'], found['x-forwarded-for']);
    return found;
  };
  const client = async (...lines: readonly string[]) => (await seen(...lines))['x-forwarded-for'];

  it('are believed by the address that they come from, and no others', async () => {
    await serve({ networks: ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8'], header: 'x-forwarded-for' });
    assert.equal(await client('X-Forwarded-For: 192.0.2.1'), '192.0.2.1');
    assert.equal(await client('X-Forwarded-For: 2001:db8::1'), '2001:db8::1');
    assert.equal(await client(), '127.0.0.1');
    await serve({ networks: ['10.0.0.0/8'], header: 'X-Forwarded-For' });
    assert.equal(await client('X-Forwarded-For: 192.0.2.1'), '127.0.0.1');
    await serve(null);
    assert.equal(await client('X-Forwarded-For: 192.0.2.1'), '127.0.0.1');
  });

  it('may be several: the last address that is none of them is the client, whatever stands before it', async () => {
    await serve({ networks: ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8'], header: 'x-forwarded-for' });
    const expected = [
      [['X-Forwarded-For: 198.51.100.66, 192.0.2.1, 10.1.2.3, fd00::1'], '192.0.2.1'],
      [['X-Forwarded-For: 198.51.100.66', 'X-Forwarded-For: 192.0.2.1', 'x-forwarded-for: 10.0.0.1'], '192.0.2.1'],
      [['X-Forwarded-For: 10.0.0.1, 10.0.0.2'], '10.0.0.1'],
      [['X-Forwarded-For: 192.0.2.1, not an address'], '127.0.0.1'],
      [['X-Forwarded-For: 192.0.2.1', 'X_Forwarded_For: 198.51.100.66'], '192.0.2.1'],
      [['Forwarded: for=198.51.100.66', 'X-Real-IP: 198.51.100.66'], '127.0.0.1'],
    ] as const;
    for (const [lines, address] of expected) assert.equal(await client(...lines), address, lines.join());
  });

  it('may use a header of their own, which says the same to the service', async () => {
    await serve({ networks: ['127.0.0.0/8'], header: 'CF-Connecting-IP' });
    const believed = await seen('CF-Connecting-IP: 192.0.2.1', 'X-Forwarded-For: 198.51.100.66');
    assert.deepEqual([believed['x-forwarded-for'], believed['cf-connecting-ip']], ['192.0.2.1', '192.0.2.1']);
    await serve({ networks: ['10.0.0.0/8'], header: 'CF-Connecting-IP' });
    const claimed = await seen('CF-Connecting-IP: 192.0.2.1');
    assert.deepEqual([claimed['x-forwarded-for'], claimed['cf-connecting-ip']], ['127.0.0.1', '127.0.0.1']);
    await serve({ networks: ['127.0.0.0/8'], header: 'Host' });
    const other = await seen();
    assert.deepEqual(
      [other['x-forwarded-for'], other.host],
      ['127.0.0.1', WWW],
      'what is no address is not taken for one',
    );
  });

  it('lead each client to its own node, where requests are spread by address', async () => {
    await serve({ networks: ['127.0.0.0/8'], header: 'X-Forwarded-For' });
    const nodes = new Map<string, string>();
    for (const round of [1, 2]) {
      for (let number = 1; number <= 30; number += 1) {
        const { body } = await scene.ask(WWW, { headers: { 'x-forwarded-for': `192.0.2.${number}` } });
        if (round === 1) nodes.set(`192.0.2.${number}`, body);
        assert.equal(body, nodes.get(`192.0.2.${number}`));
      }
    }
    assert.equal(new Set(nodes.values()).size, 4);
  });
});

/** Where a real nginx sends clients, by paths that lead elsewhere. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { IngressAssignment } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../test/ingress-section.ts';

const WWW = 'www-1.example.com';
type Redirect = IngressAssignment['redirects'][number];
const redirectOf = (over: Partial<Redirect>): Redirect => ({
  path: '/old',
  to: '/new',
  status: 302,
  keep: true,
  ...over,
});

describe('redirects of an ingress', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
  });
  after(() => scene[Symbol.asyncDispose]());

  const routes = () => [
    routeOf({ targets: [web.target(1)], check: { kind: 'none' } }),
    routeOf({ path: '/old/kept', targets: [web.target(1)], check: { kind: 'none' } }),
  ];
  const serve = (redirects: Redirect[], over: Partial<IngressAssignment> = {}) =>
    scene.server.serve({ section: [ingressOf(1, { routes: routes(), redirects, ...over })], ca: undefined });
  const ask = async (path: string) => {
    const { status, headers } = await scene.ask(WWW, { path });
    return status === 200 ? 'served' : headers.location;
  };
  /** As it is written, which clients of libraries would not do. Answers with the head of the answer. */
  const written = async (target: string) => {
    const socket = connect(scene.http_port, '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\nHost: ${WWW}\r\nConnection: close\r\n\r\n`);
    let text = '';
    socket.setEncoding('latin1').on('data', (piece: string) => {
      text += piece;
    });
    await once(socket, 'close');
    return text.slice(0, text.indexOf('\r\n\r\n'));
  };
  const locationIn = (head: string) => /^Location: (.*)$/m.exec(head)?.[1]?.trim();

  it('hold for the path and all below it, and the longest path counts, of routes and redirects together', async () => {
    await serve([
      redirectOf({ to: 'https://new.example.net', status: 308 }),
      redirectOf({ path: '/old/kept/deep', to: '/deep', keep: false, status: 301 }),
      redirectOf({ path: '/p.q', to: '/dot', status: 307 }),
    ]);
    const expected = {
      '/old': 'https://new.example.net/',
      '/old?a=b': 'https://new.example.net/?a=b',
      '/old/': 'https://new.example.net/',
      '/old/x/y.html?a=1&b=%20': 'https://new.example.net/x/y.html?a=1&b=%20',
      '/older': 'served',
      '/': 'served',
      '/old/kept': 'served',
      '/old/kept/x': 'served',
      '/old/kept/deep/x?y=z': '/deep',
      '/p.q/r': '/dot/r',
      '/pxq/r': 'served',
    };
    const found: Record<string, string | undefined> = {};
    for (const path of Object.keys(expected)) found[path] = await ask(path);
    assert.deepEqual(found, expected);
    const statuses = [];
    for (const path of ['/old', '/old/kept/deep', '/p.q']) statuses.push((await scene.ask(WWW, { path })).status);
    assert.deepEqual(statuses, [308, 301, 307]);
    const posted = await scene.ask(WWW, { path: '/old/x', method: 'POST', body: 'x'.repeat(100_000) });
    assert.equal(posted.status, 308);
  });

  it('put what was asked for behind a place with a query or a slash', async () => {
    await serve([
      redirectOf({ path: '/a', to: 'https://new.example.net/shop/?from=a' }),
      redirectOf({ path: '/b', to: '/' }),
      redirectOf({ path: '/c', to: 'http://new.example.net:8080/x?' }),
    ]);
    assert.deepEqual(
      [
        await ask('/a/1?q=2'),
        await ask('/a'),
        await ask('/b/1'),
        await ask('/b'),
        await ask('/c/1?q'),
        await ask('/c/1'),
      ],
      [
        'https://new.example.net/shop/1?from=a&q=2',
        'https://new.example.net/shop/?from=a',
        '/1',
        '/',
        'http://new.example.net:8080/x/1?q',
        'http://new.example.net:8080/x/1',
      ],
    );
  });

  it('lead all elsewhere, where there is no service', async () => {
    await serve([redirectOf({ path: '/', to: 'https://new.example.net', status: 301 })], { routes: [] });
    assert.deepEqual(
      [await ask('/'), await ask('/a/b?c'), await ask('/old/kept')],
      ['https://new.example.net/', 'https://new.example.net/a/b?c', 'https://new.example.net/old/kept'],
    );
    await serve([redirectOf({})], { routes: [] });
    assert.equal((await scene.ask(WWW)).status, 404);
  });

  it('keep what a client wrote as it wrote it, and let it lead nowhere else', async () => {
    await serve([redirectOf({ to: '/' }), redirectOf({ path: '/far', to: 'https://new.example.net' })]);
    const expected = {
      '/old/%41%2f%C3%A4': '/%41%2f%C3%A4',
      '/old/a%0d%0aSet-Cookie:%20x=1': '/a%0d%0aSet-Cookie:%20x=1',
      '/%6fld/a%0d%0aSet-Cookie:%20x=1?q=%0d%0a': '/a%0D%0ASet-Cookie:%20x=1?q=%0d%0a',
      '/old//evil.example/x': '/evil.example/x',
      '/old/\\evil.example': '/evil.example',
      '/old/%2f%2fevil.example': '/%2f%2fevil.example',
      '/%6fld/%2f%2fevil.example': '/evil.example',
      '/%6fld/%5cevil.example': '/%5Cevil.example',
      '//old/x': '/x',
      '/x/../old/y': '/y',
      '/far/.@evil.example': 'https://new.example.net/.@evil.example',
      '/far/../far/%2e%2e/far/x': 'https://new.example.net/x',
      [`http://${WWW}/old/x?y`]: '/x?y',
    };
    const found: Record<string, string | undefined> = {};
    for (const target of Object.keys(expected)) {
      const head = await written(target);
      assert.doesNotMatch(head, /^Set-Cookie/im, target);
      found[target] = locationIn(head);
    }
    assert.deepEqual(found, expected);
    assert.match(await written('/old/a\rX: y'), /^HTTP\/1\.1 400/);
  });

  it('hold while the ingress drains, for connections that are there', async () => {
    await serve([redirectOf({})]);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    assert.equal((await scene.ask(WWW, { path: '/old/x', agent })).headers.connection, 'keep-alive');
    scene.setAhead(-60_000);
    await serve([redirectOf({})], { draining: true });
    scene.setAhead(0);
    const kept = await scene.ask(WWW, { path: '/old/x', agent });
    assert.deepEqual([kept.status, kept.headers.location], [302, '/new/x']);
    const refused = await scene.ask(WWW, { path: '/old/x' });
    assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1']);
    agent.destroy();
  });
});

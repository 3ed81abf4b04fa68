/** Headers that are set and removed by rules, as a service and a client of a real nginx see them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { AssignedRoute } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressOf, routeOf, trafficOf } from '../../../test/ingress-section.ts';

const WWW = 'www-1.example.com';
type Rules = Pick<AssignedRoute['traffic'], 'request_headers' | 'response_headers'>;

describe('headers of a route', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web', (_, answer) => {
      answer.writeHead(answer.req.url === '/fails' ? 500 : 200, {
        server: 'Apache/1.3',
        'x-powered-by': 'PHP/4',
        'x-frame-options': 'ALLOWALL',
        'content-type': 'text/plain',
        'set-cookie': ['a=1', 'b=2'],
      });
      answer.end('web');
    });
  });
  after(() => scene[Symbol.asyncDispose]());

  const serve = (rules: Partial<Rules>, targets = [web.target(1)]) =>
    scene.server.serve({
      section: [ingressOf(1, { routes: [routeOf({ targets, check: { kind: 'none' }, traffic: trafficOf(rules) })] })],
      ca: undefined,
    });
  const seen = () => web.requests.at(-1)?.headers ?? assert.fail('no request came');

  it('reach the service as the rules say, and all others as without them', async () => {
    await serve({
      request_headers: [
        { name: 'X-Tenant', value: 'acme' },
        { name: 'host', value: 'inside.example:8080' },
        { name: 'Cookie', value: null },
        { name: 'X-Empty', value: '' },
        { name: 'X-Twice', value: 'first' },
        { name: 'x-twice', value: 'last' },
      ],
    });
    const { status } = await scene.ask(WWW, {
      headers: {
        'X-TENANT': 'of the client',
        X_Tenant: 'of the client',
        cookie: 'session=1',
        'x-empty': 'of the client',
        'x-forwarded-for': '192.0.2.1',
        forwarded: 'for=192.0.2.1',
        'x-other': 'passes',
      },
    });
    assert.equal(status, 200);
    const { host, cookie, forwarded, ...headers } = seen();
    assert.deepEqual([host, cookie, forwarded], ['inside.example:8080', undefined, undefined]);
    assert.deepEqual(
      ['x-tenant', 'x_tenant', 'x-empty', 'x-twice', 'x-other', 'x-forwarded-for', 'x-forwarded-host'].map(
        (name) => headers[name],
      ),
      ['acme', undefined, undefined, 'last', 'passes', '127.0.0.1', WWW],
    );
    assert.match(String(headers['x-request-id']), /^[0-9a-f]{32}$/);
  });

  it('that a client sends twice, or with a name that looks alike, do not pass by a rule', async () => {
    await serve({ request_headers: [{ name: 'X-Tenant', value: 'acme' }] });
    const { http_port: port } = scene;
    const lines = ['X-Tenant: one', 'x-tenant: two', 'X-TENANT : three', 'X_TENANT: four', 'X-Tenant:\tfive'];
    for (const sent of [lines.slice(0, 2), lines.slice(2, 3), lines.slice(3)]) {
      const before = web.requests.length;
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET / HTTP/1.1\r\nHost: ${WWW}\r\nConnection: close\r\n${sent.join('\r\n')}\r\n\r\n`);
      let answer = '';
      socket.setEncoding('utf8').on('data', (piece: string) => {
        answer += piece;
      });
      await once(socket, 'close');
      if (answer.startsWith('HTTP/1.1 400')) continue; // refused as a whole
      assert.match(answer, /^HTTP\/1\.1 200/);
      assert.equal(web.requests.length, before + 1);
      assert.deepEqual([seen()['x-tenant'], seen().x_tenant], ['acme', undefined], sent.join());
    }
  });

  it('mean themselves, whatever is in them', async () => {
    const values = [
      '$host $\u007bremote_addr} $$ $1 $\u007b',
      '"; add_header X-Evil 1; #',
      '\'{}\\ \\\\ \\n \\"',
      '%00 %s <script>',
      '"'.repeat(4000),
      '$'.repeat(3999),
      '\\'.repeat(1501),
    ];
    for (const value of values) {
      await serve({
        request_headers: [{ name: 'X-Value', value }],
        response_headers: [{ name: 'X-Value', value }],
      });
      const { headers, status } = await scene.ask(WWW);
      assert.deepEqual([status, headers['x-value'], seen()['x-value']], [200, value, value]);
      assert.equal(headers['x-evil'], undefined);
    }
  });

  it('reach the client as the rules say, whatever the status', async () => {
    await serve({
      response_headers: [
        { name: 'X-Frame-Options', value: 'DENY' },
        { name: 'Strict-Transport-Security', value: 'max-age=31536000' },
        { name: 'X-Powered-By', value: null },
        { name: 'Set-Cookie', value: null },
        { name: 'Content-Type', value: 'text/html; charset=utf-8' },
        { name: 'Server', value: 'shop' },
      ],
    });
    for (const path of ['/', '/fails']) {
      const { headers, body } = await scene.ask(WWW, { path });
      assert.equal(body, 'web');
      assert.deepEqual(
        ['x-frame-options', 'strict-transport-security', 'x-powered-by', 'set-cookie', 'content-type', 'server'].map(
          (name) => headers[name],
        ),
        ['DENY', 'max-age=31536000', undefined, undefined, 'text/html; charset=utf-8', 'shop'],
      );
    }
    await serve({ response_headers: [{ name: 'server', value: null }] });
    assert.equal((await scene.ask(WWW)).headers.server, undefined);
    await serve({});
    const { headers } = await scene.ask(WWW);
    assert.deepEqual([headers.server, headers['x-powered-by']], ['nginx', 'PHP/4']);
  });

  it('are also on what the gateway itself answers, but for those of one answer', async () => {
    const rules = {
      response_headers: [
        { name: 'Access-Control-Allow-Origin', value: '*' },
        { name: 'Content-Type', value: 'text/html' },
        { name: 'Cache-Control', value: 'public' },
        { name: 'Server', value: null },
      ],
    };
    await serve(rules, []);
    const { status, headers, body } = await scene.ask(WWW);
    assert.deepEqual([status, body], [503, 'No node of service web answers.']);
    assert.deepEqual(
      ['access-control-allow-origin', 'content-type', 'cache-control', 'server'].map((name) => headers[name]),
      ['*', 'text/plain', 'no-store', undefined],
    );
  });

  it('of the gateway itself are not changed by any rule', async () => {
    for (const name of ['X-Forwarded-For', 'connection', 'Transfer-Encoding', 'DATE', 'x-real-ip']) {
      const served = serve({ request_headers: [{ name, value: 'x' }] });
      await assert.rejects(served, /cannot be served: the header "[^"]+" is not one/);
      await assert.rejects(serve({ response_headers: [{ name, value: null }] }), /cannot be served/);
    }
    for (const value of ['a b', 'a/b', 'a:b', '$host', '', null]) {
      await assert.rejects(serve({ request_headers: [{ name: 'Host', value }] }), /cannot be served: the host name/);
    }
  });
});

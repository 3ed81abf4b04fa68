/** How a real nginx passes answers on: compressed, in time, and without holding them back. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { AssignedRoute } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressOf, routeOf, trafficOf } from '../../../test/ingress-section.ts';
import { until } from '../../../test/namespaces.ts';

const WWW = 'www-1.example.com';
const TEXT = 'All work and no play. '.repeat(500);

describe('answers of a service', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  let say: ((event: string) => void) | undefined;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web', (asked, answer) => {
      const { searchParams: query, pathname } = new URL(asked.url ?? '/', 'http://web');
      if (pathname === '/never') return;
      answer.setHeader('content-type', query.get('type') ?? 'text/plain');
      if (pathname === '/events') {
        say = (event) => answer.write(`data: ${event}\n\n`);
        say('first');
        return;
      }
      if (pathname === '/encoded') {
        answer.setHeader('content-encoding', 'gzip');
        answer.end(gzipSync(TEXT));
        return;
      }
      answer.end(pathname === '/short' ? 'short' : TEXT);
    });
  });
  after(() => scene[Symbol.asyncDispose]());

  const serve = (traffic: Partial<AssignedRoute['traffic']>) => {
    const routes = [routeOf({ targets: [web.target(1)], check: { kind: 'none' }, traffic: trafficOf(traffic) })];
    return scene.server.serve({ section: [ingressOf(1, { routes })], ca: undefined });
  };
  const open = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> => {
    const to = { host: '127.0.0.1', port: scene.http_port, path, agent: false };
    const asked = request({ ...to, headers: { host: WWW, ...headers } });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  };
  const bytesOf = async (answer: IncomingMessage) => Buffer.concat(await answer.toArray());
  const GZIP = { 'accept-encoding': 'gzip, br' };

  it('are compressed for clients that take it, and for no others', async () => {
    await serve({ compress: true });
    for (const type of ['text/plain', 'text/html; charset=utf-8', 'application/json', 'image/svg+xml']) {
      const answer = await open(`/text?type=${encodeURIComponent(type)}`, GZIP);
      assert.equal(answer.headers['content-encoding'], 'gzip', type);
      assert.equal(answer.headers.vary, 'Accept-Encoding');
      assert.equal(gunzipSync(await bytesOf(answer)).toString(), TEXT);
    }
    for (const [path, headers] of [
      ['/text', {}],
      ['/text', { 'accept-encoding': 'identity' }],
      ['/text', { 'accept-encoding': 'gzip;q=0' }],
      ['/short', GZIP],
      ['/text?type=image/png', GZIP],
    ] as const) {
      const answer = await open(path, headers);
      assert.equal(answer.headers['content-encoding'], undefined, `${path} ${JSON.stringify(headers)}`);
      answer.destroy();
    }
    const once = await open('/encoded', GZIP);
    assert.equal(once.headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(await bytesOf(once)).toString(), TEXT, 'not twice');
    await serve({ compress: false });
    const plain = await open('/text', GZIP);
    assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, undefined]);
    plain.destroy();
  });

  it('that are streams of events are passed on one by one', async () => {
    for (const compress of [false, true]) {
      await serve({ compress });
      const answer = await open('/events?type=text/event-stream', GZIP);
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      for (const event of ['second', 'third']) {
        say?.(event);
        await until(`${event} is there`, async () => text.endsWith(`data: ${event}\n\n`));
      }
      assert.equal(text, 'data: first\n\ndata: second\n\ndata: third\n\n');
      answer.destroy();
    }
  });

  it('that do not come in time are not waited for', async () => {
    await serve({ idle_timeout_s: 1 });
    const { status, body } = await scene.ask(WWW, { path: '/never' });
    assert.deepEqual([status, body], [504, 'Service web did not answer in time.']);
    const events = await open('/events');
    await assert.rejects(bytesOf(events), /aborted/);
  });
});

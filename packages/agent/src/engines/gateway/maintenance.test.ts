/** What clients get while an ingress is under maintenance, from a real nginx. */
import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { IngressAssignment } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf, trafficOf } from '../../../test/ingress-section.ts';

const WWW = 'www-1.example.com';
const PROXIES = { networks: ['127.0.0.0/8'], header: 'X-Forwarded-For' };
const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe('maintenance', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
  });
  after(() => scene[Symbol.asyncDispose]());

  const section = (message: string, over: Partial<IngressAssignment> = {}): IngressAssignment[] => [
    ingressOf(1, {
      routes: [
        routeOf({
          targets: [web.target(1)],
          check: { kind: 'none' },
          traffic: trafficOf({ networks: { allow: [], deny: ['203.0.113.0/24'] } }),
        }),
      ],
      redirects: [{ path: '/old', to: '/new', status: 302, keep: false }],
      maintenance: { message, retry_after_s: 120, allow: ['192.0.2.0/24', '2001:db8::/32'] },
      proxies: PROXIES,
      ...over,
    }),
  ];
  const serve = (message: string, over?: Partial<IngressAssignment>) =>
    scene.server.serve({ section: section(message, over), ca: undefined });

  it('is a page for people and a text for programs, and networks that are allowed pass', async () => {
    await serve('We move.\nBack at 10:00.');
    const page = await scene.ask(WWW, { path: '/a.json', headers: { accept: HTML } });
    assert.deepEqual(
      ['content-type', 'retry-after', 'cache-control', 'x-content-type-options'].map((name) => page.headers[name]),
      ['text/html; charset=utf-8', '120', 'no-store', 'nosniff'],
    );
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/);
    assert.equal(page.status, 503);
    assert.match(page.body, /<p dir="auto">We move\.\nBack at 10:00\.<\/p>/);
    assert.match(page.body, /prefers-color-scheme: dark/);
    const text = await scene.ask(WWW, { method: 'POST', body: 'x', headers: { accept: 'application/json' } });
    assert.deepEqual(
      [text.status, text.headers['content-type'], text.headers['retry-after'], text.body],
      [503, 'text/plain; charset=utf-8', '120', 'We move.\nBack at 10:00.\n'],
    );
    const from = async (address: string) => (await scene.ask(WWW, { headers: { 'x-forwarded-for': address } })).status;
    assert.deepEqual(
      [await from('192.0.2.1'), await from('2001:db8::1'), await from('198.51.100.1'), await from('203.0.113.1')],
      [200, 200, 503, 403],
    );
    assert.equal((await scene.ask(WWW, { path: '/old' })).headers.location, '/new', 'redirects stay');
    assert.equal((await scene.ask(WWW, { path: '/.meshwork/maintenance.html' })).status, 404, 'only nginx itself');
    const range = await scene.ask(WWW, {
      headers: { range: 'bytes=0-1', 'if-modified-since': new Date().toUTCString() },
    });
    assert.equal(range.status, 503);
  });

  it('says what was written, and nothing else', async () => {
    const hostile = '</p><script>alert(1)</script> & "ä€𝄞" $host $\u007bx} \u2028 \ud800 <!-- %s';
    await serve(hostile, { maintenance: { message: hostile, retry_after_s: 1, allow: [] } });
    const { body } = await scene.ask(WWW, { headers: { accept: HTML } });
    const shown =
      '&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;ä€𝄞&quot; $host $\u007bx} \u2028 \ufffd &lt;!-- %s';
    assert.match(body, /<p dir="auto">/);
    assert.equal(body.split('<p dir="auto">')[1]?.split('</p>')[0], shown);
    assert.equal((await scene.ask(WWW)).body, `${hostile.toWellFormed()}\n`);
    assert.equal(await scene.server.fault(), null);
  });

  it('has another text without a reload, and leaves no file behind when it is over', async () => {
    await serve('first');
    const workers = await scene.workers();
    await serve('second');
    assert.equal((await scene.ask(WWW)).body, 'second\n');
    assert.deepEqual(await scene.workers(), workers);
    const pages = join(scene.path, 'pages');
    await writeFile(join(pages, `${ingressId(1)}.txt`), 'of another program');
    assert.match(String(await scene.server.fault()), /pages\/ingress_0*1\.txt was changed$/);
    await serve('second');
    assert.equal(await scene.server.fault(), null);
    await serve('', { maintenance: null });
    assert.deepEqual(await readdir(pages), []);
    const after = await scene.ask(WWW);
    assert.deepEqual([after.status, after.body], [200, 'web']);
    assert.equal((await scene.ask(WWW, { path: '/.meshwork/maintenance.html' })).body, 'web');
  });
});

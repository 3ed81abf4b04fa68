import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { TestPanel } from '../../test/harness.ts';
import { rawRequest } from '../../test/raw-request.ts';

const SCRIPT = 'globalThis.mesh = 1;\n'.repeat(100);
const PAGE = '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><title>Meshwork</title>';
/** By address: a name may have a second one without a listener. */
const urlOf = ({ port }: TestPanel) => `http://127.0.0.1:${port}`;
const HTML = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };

describe('the pages of the dashboard', () => {
  let folder: string;
  let panel: TestPanel;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mesh-dashboard-'));
    const dist = join(folder, 'dist');
    await mkdir(join(dist, 'assets'), { recursive: true });
    const files = {
      'index.html': PAGE,
      'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '.fingerprint': 'secret',
      'assets/.hidden.js': 'secret',
      'assets/index-4f2a.js': SCRIPT,
      'assets/index-4f2a.js.br': brotliCompressSync(SCRIPT),
      'assets/index-4f2a.js.gz': gzipSync(SCRIPT),
      'assets/odd.exe': 'not for browsers',
      '../outside.js': 'secret',
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(dist, name), content);
    panel = await TestPanel.start({ MESH_DASHBOARD_DIR: dist });
  });
  after(async () => {
    await panel.close();
    await rm(folder, { recursive: true, force: true });
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${urlOf(panel)}${path}`, { method, headers: { 'accept-encoding': 'identity', ...headers } });
  /** As the bytes came: `fetch` would decompress them. */
  const raw = (path: string, ...headers: string[]) =>
    rawRequest(panel.url, [`GET ${path} HTTP/1.1`, `Host: ${new URL(panel.url).host}`, ...headers]);

  it('are one page at every address that a browser opens, with a nonce of its own each time', async () => {
    const nonces = new Set<string>();
    for (const path of ['/', '/nodes', '/nodes/node_1?tab=links', '/sign-in', '/people/ada.l', '/apidocs']) {
      const got = await get(path, HTML);
      assert.equal(got.status, 200, path);
      assert.equal(got.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(got.headers.get('cache-control'), 'no-store');
      assert.equal(got.headers.get('x-frame-options'), 'DENY');
      const [, nonce = ''] = /content="([^"]+)"/.exec(await got.text()) ?? [];
      const policy = got.headers.get('content-security-policy') ?? '';
      assert.ok(policy.includes(`style-src 'self' 'nonce-${nonce}'`), policy);
      assert.ok(!policy.includes('unsafe') && !/script-src[^;]*nonce/.test(policy), policy);
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 6);
  });

  it('are not sent in answer to any other request', async () => {
    for (const path of ['/nodes', '/favicon.ico']) {
      const got = await get(path, { accept: 'application/json' });
      assert.equal(got.status, 404);
      assert.equal(((await got.json()) as { code: string }).code, 'route_not_found');
    }
    for (const path of [
      '/api/v1/none',
      '/api',
      '/assets/none.js',
      '/healthz/x',
      '/metrics/x',
      '/.env',
      '/.git/config',
    ]) {
      assert.equal((await get(path, HTML)).status, 404, path);
    }
    assert.equal((await get('/api/v1/auth/login', HTML)).status, 405);
    assert.equal((await get('/nodes', HTML, 'POST')).status, 404);
  });

  it('come with files that a browser keeps for good when their names tell what is in them', async () => {
    const script = await get('/assets/index-4f2a.js');
    assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(script.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(await script.text(), SCRIPT);
    const icon = await get('/icon.svg');
    assert.deepEqual(
      [icon.headers.get('content-type'), icon.headers.get('cache-control')],
      ['image/svg+xml', 'public, no-cache'],
    );
  });

  it('come compressed to clients that accept it', async () => {
    const got = await get('/assets/index-4f2a.js', { 'accept-encoding': 'gzip, deflate, br' });
    assert.deepEqual([got.headers.get('content-encoding'), got.headers.get('vary')], ['br', 'accept-encoding']);
    assert.equal(await got.text(), SCRIPT);
    const encodingFor = async (accepted: string) =>
      (await get('/assets/index-4f2a.js', { 'accept-encoding': accepted })).headers.get('content-encoding');
    assert.deepEqual(
      [
        await encodingFor('gzip'),
        await encodingFor('br;q=0, gzip'),
        await encodingFor('*'),
        await encodingFor('deflate'),
      ],
      ['gzip', 'gzip', 'br', null],
    );
    assert.equal(brotliDecompressSync(brotliCompressSync(SCRIPT)).toString(), SCRIPT);
  });

  it('are not sent again to clients that have them', async () => {
    const etag = (await get('/icon.svg')).headers.get('etag') ?? '';
    const again = await get('/icon.svg', { 'if-none-match': `"other", ${etag}` });
    assert.deepEqual([again.status, await again.text()], [304, '']);
    assert.equal((await get('/icon.svg', { 'if-none-match': '"other"' })).status, 200);
    const compressed = await get('/assets/index-4f2a.js', { 'accept-encoding': 'br' });
    const plain = await get('/assets/index-4f2a.js');
    assert.notEqual(compressed.headers.get('etag'), plain.headers.get('etag'));
  });

  it('answer HEAD as they would answer GET', async () => {
    const head = await get('/assets/index-4f2a.js', {}, 'HEAD');
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(SCRIPT.length)]);
    assert.equal((await get('/', HTML, 'HEAD')).status, 200);
  });

  it('give away nothing that is not theirs', async () => {
    const tricks = [
      '/../outside.js',
      '/assets/../../outside.js',
      '/%2e%2e/outside.js',
      '/assets/%2e%2e%2f%2e%2e%2foutside.js',
      '/..%5coutside.js',
      '/.fingerprint',
      '/%2efingerprint',
      '/assets/.hidden.js',
      '/assets/odd.exe',
      '/assets/index-4f2a.js.br',
      '/assets/',
      '/assets',
      '//outside.js',
      '/index.html%00.js',
    ];
    for (const trick of tricks) {
      const got = await raw(trick, 'Accept: */*');
      assert.ok([400, 404].includes(got.status), `${trick}: ${got.text}`);
      assert.ok(!got.text.includes('secret'), trick);
    }
  });
});

describe('a panel whose dashboard is not built', () => {
  let panel: TestPanel;
  before(async () => {
    panel = await TestPanel.start({ MESH_DASHBOARD_DIR: join(tmpdir(), 'mesh-no-dashboard') });
  });
  after(() => panel.close());

  it('says so on every page, and in its readiness', async () => {
    const got = await fetch(`${urlOf(panel)}/nodes`, { headers: HTML });
    assert.equal(got.status, 503);
    assert.match(await got.text(), /The dashboard is not built.*npm run build/s);
    const ready = (await (await fetch(`${urlOf(panel)}/readyz`)).json()) as { checks: { name: string; ok: boolean }[] };
    assert.equal(ready.checks.find(({ name }) => name === 'dashboard')?.ok, false);
    assert.equal((await fetch(`${urlOf(panel)}/api/v1/setup`)).status, 200);
  });
});

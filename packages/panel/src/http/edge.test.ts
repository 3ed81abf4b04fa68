import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { newId, type Readiness } from '@meshwork/contract';
import { ALL, PASSWORD, type TestBrowser, TestPanel } from '../../test/harness.ts';

describe('the edge of the panel', () => {
  let panel: TestPanel;
  let owner: TestBrowser;
  before(async () => {
    panel = await TestPanel.start();
    owner = await panel.owner();
  });
  after(() => panel.close());

  /** Bytes as they are, and what came back: nothing, where there was no connection. */
  const raw = (text: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(panel.url).port), '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
        if (answer.includes('\r\n\r\n')) socket.end();
      });
      // Who refuses a body unread may reset the connection behind the answer.
      socket.on('error', () => undefined).on('close', () => resolve(answer));
    });

  it('answers only under its own names, so that no other can be pointed at it', async () => {
    const { port } = new URL(panel.url);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `localhost.evil.example:${port}`,
      'localhost',
      `127.0.0.1:1`,
    ]) {
      const got = await owner.ask('GET', '/api/v1/auth/session', { headers: { host } });
      assert.deepEqual([got.status, got.body.code], [403, 'origin_refused'], host);
      assert.equal((await owner.ask('GET', '/', { headers: { host, accept: 'text/html' } })).status, 403, host);
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`]) {
      assert.equal((await owner.ask('GET', '/api/v1/auth/session', { headers: { host } })).status, 200, host);
    }
    assert.match(await raw('GET /api/v1/auth/session HTTP/1.1\r\nHost:\r\n\r\n'), /^HTTP\/1.1 403 /);
    assert.match(await raw('GET /api/v1/auth/session HTTP/1.0\r\n\r\n'), /^HTTP\/1.1 403 /);
    assert.equal((await owner.ask('GET', '/healthz', { headers: { host: '10.0.0.1' } })).status, 200);
  });

  it('accepts clients that are no browsers, and the panel’s own pages under each of its names', async () => {
    const login = { name: 'grace', password: PASSWORD };
    const { port } = new URL(panel.url);
    const ways = [
      { origin: undefined },
      { origin: undefined, 'sec-fetch-site': 'same-origin' },
      { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` },
    ];
    for (const headers of ways) {
      assert.equal((await panel.browser().ask('POST', '/api/v1/auth/login', { body: login, headers })).status, 200);
    }
  });

  it('refuses a large body without reading it to its end', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(10_000_000), password: 'x' });
    const got = await panel
      .browser()
      .ask('POST', '/api/v1/auth/login', { raw: large })
      .catch((error: NodeJS.ErrnoException) => error.code);
    // The connection of a client that is still sending is closed.
    if (typeof got === 'object') assert.equal(got.status, 413);
    else assert.match(got ?? '', /EPIPE|ECONNRESET/);
    const chunked = await raw(
      `POST /api/v1/auth/login HTTP/1.1\r\nHost: ${new URL(panel.url).host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${`${(70_000).toString(16)}\r\n${'x'.repeat(70_000)}\r\n`}0\r\n\r\n`,
    );
    assert.match(chunked, /^HTTP\/1.1 413 /);
  });

  it('copies nothing from a request into the headers of its answer', async () => {
    const evil = '/api/v1/users/x%0d%0aSet-Cookie:%20evil=1';
    const { headers, text } = await owner.ask('GET', evil);
    assert.deepEqual(headers.getSetCookie(), []);
    assert.doesNotMatch(text, /[\r\n]Set-Cookie/i);
    const cookie = await raw(
      `GET /api/v1/auth/session HTTP/1.1\r\nHost: ${new URL(panel.url).host}\r\nCookie: mesh_session=\x01\r\nX-Request-Id: evil\r\nConnection: close\r\n\r\n`,
    );
    assert.match(cookie, /^HTTP\/1.1 (200|400) /);
    assert.doesNotMatch(cookie, /x-request-id: evil/i);
    const { host } = new URL(panel.url);
    assert.match(await raw(`GET / HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\n\r\n`), /^HTTP\/1.1 (400|403) /);
    assert.match(
      await raw('GET http://evil.example/api/v1/users HTTP/1.1\r\nHost: evil.example\r\n\r\n'),
      /^HTTP\/1.1 (400|403|404) /,
    );
    assert.match(await raw('nonsense\r\n\r\n'), /^HTTP\/1.1 400 /);
  });

  it('names the methods of a path, and refuses unknown paths', async () => {
    const got = await owner.ask('PUT', '/api/v1/auth/login', { body: {} });
    assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST']);
    for (const path of [
      '/api/v1/nothing',
      '/api/v2/users',
      '/api/v1/users/x/y',
      '/api/v1/coordinator/nothing',
      '/.env',
    ]) {
      assert.equal((await owner.ask('GET', path)).body.code, 'route_not_found', path);
    }
    assert.equal((await owner.ask('GET', '/api/v1/users/%zz')).status, 400);
  });

  it('is no proxy: a request for an absolute URL is refused', async () => {
    const { host } = new URL(panel.url);
    for (const path of ['/api/v1/setup', '/api/v1/auth/session', '/api/v1/coordinator/nodes', '/']) {
      for (const origin of ['http://evil.example', panel.url]) {
        const answer = await raw(`GET ${origin}${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\n\r\n`);
        assert.match(answer, /^HTTP\/1.1 404 /, `${origin}${path}`);
      }
    }
  });

  it('keeps the trail short, whatever paths an anonymous caller sends', async () => {
    const stranger = panel.browser();
    for (let count = 0; count < 20; count++) {
      const got = await stranger.ask('DELETE', `/api/v1/users/${newId('user', count)}`);
      assert.equal(got.body.code, 'sign_in_required');
      await stranger.ask('GET', `/api/v1/coordinator/nodes/${newId('node', count)}`);
      await stranger.ask('GET', '/api/v1/coordinator/relays');
    }
    const refused = (await panel.trail(owner)).filter(({ code }) => code === 'sign_in_required');
    assert.ok(refused.length > 0 && refused.length <= 4, `${refused.length} entries`);
    assert.ok(refused.every(({ target }) => target === null));
  });

  it('describes itself to anyone', async () => {
    const { status, body } = await panel
      .browser()
      .ask<{ paths: Record<string, object> }>('GET', '/api/v1/openapi.json');
    assert.equal(status, 200);
    assert.ok(body.paths['/api/v1/auth/login'] !== undefined);
    assert.equal((await panel.browser().ask('HEAD', '/api/v1/openapi.json')).text, '');
    const got = await panel.browser().ask('HEAD', '/api/v1/openapi.json', { headers: { 'accept-encoding': 'br' } });
    assert.equal(got.headers.get('content-encoding'), 'br');
    assert.match(got.headers.get('cache-control') ?? '', /^public, max-age=\d+$/);
    const known = { 'accept-encoding': 'br', 'if-none-match': got.headers.get('etag') ?? '' };
    assert.equal((await panel.browser().ask('GET', '/api/v1/openapi.json', { headers: known })).status, 304);
  });

  it('shows its metrics to callers with the permission, by session or by token', async () => {
    const scrape = (authorization?: string) =>
      panel.browser().ask('GET', '/metrics', { headers: { authorization, host: '10.0.0.1:7480' } });
    const { owner: token } = panel.coordinator;
    assert.match((await scrape(`Bearer ${token}`)).text, /^mesh_panel_sessions \d+$/m);
    assert.match((await owner.ask('GET', '/metrics')).text, /^mesh_panel_http_request_duration_seconds_count\{/m);
    assert.equal((await scrape()).status, 401);
    assert.equal((await scrape('Bearer mesh_nonsense')).status, 401);
    const viewer = await panel.coordinator.token({ role: 'viewer' });
    assert.equal((await scrape(`Bearer ${viewer.secret}`)).status, 403);
    const narrow = await panel.coordinator.token({ role: 'owner', scope: { team: 'platform' } });
    assert.equal((await scrape(`Bearer ${narrow.secret}`)).status, 403);
    const nan = await panel.person(owner, { name: 'nan', role: 'auditor', scope: { ...ALL, team: 'platform' } });
    assert.equal((await nan.ask('GET', '/metrics')).status, 403);
  });

  it('keeps secrets out of metrics, of the trail, and of what it says about people', async () => {
    const texts = await Promise.all(
      ['/metrics', '/api/v1/audit?limit=200', '/api/v1/users', '/api/v1/sessions', '/api/v1/profile'].map(
        async (path) => (await owner.ask('GET', path)).text,
      ),
    );
    const { session = '' } = owner;
    for (const text of texts) {
      for (const secret of [session.split('.')[1] ?? '', PASSWORD, 'argon2', 'sha256', panel.coordinator.panel]) {
        assert.ok(!text.includes(secret), secret);
      }
    }
  });
});

describe('a panel that cannot serve', () => {
  it('reports that the coordinator is unreachable, and still serves what does not need it', async () => {
    const panel = await TestPanel.start();
    try {
      const owner = await panel.owner();
      await panel.coordinator.down();
      // The store is asked under a time limit of its own: on a slow machine it may be well only at the next look.
      await panel.until(async () => {
        const { body } = await panel.browser().ask<Readiness>('GET', '/readyz');
        const isWell = (name: string) => body.checks.find((one) => one.name === name)?.ok;
        return isWell('coordinator') === false && isWell('store') === true;
      });
      assert.equal((await panel.browser().ask('GET', '/readyz')).status, 503);
      assert.equal((await owner.ask('GET', '/api/v1/profile')).status, 200);
      const state = await (await panel.signIn('grace')).state();
      assert.ok(state.state === 'signed_in');
      assert.deepEqual([state.permissions, state.coordinator.reachable], [[], false]);
      panel.clock.advance(20);
      const users = await (await panel.signIn('grace')).ask('GET', '/api/v1/users');
      assert.deepEqual([users.status, users.body.code, users.body.retryable], [503, 'coordinator_unavailable', true]);
    } finally {
      await panel.close();
    }
  });

  it('answers accepted requests during shutdown', async () => {
    const panel = await TestPanel.start();
    try {
      await panel.owner();
      const logins = Array.from({ length: 4 }, () =>
        panel.browser().ask('POST', '/api/v1/auth/login', { body: { name: 'grace', password: PASSWORD } }),
      );
      await panel.until(async () => Number((await panel.browser().ask('GET', '/healthz')).status) === 200);
      await panel.down();
      for (const { status } of await Promise.all(logins)) assert.equal(status, 200);
    } finally {
      await panel.close();
    }
  });
});

describe('over TLS in front', () => {
  it('is known by its public name, with a cookie that browsers keep for that alone', async () => {
    const panel = await TestPanel.start({
      MESH_PANEL_URL: 'https://mesh.example',
      MESH_PANEL_TRUSTED_PROXIES: '127.0.0.1',
    });
    try {
      const browser = panel.browser();
      const { port } = panel;
      Object.assign(browser, { url: `http://127.0.0.1:${port}` });
      const headers = { host: 'mesh.example', origin: 'https://mesh.example', 'x-forwarded-for': '198.51.100.7' };
      const got = await browser.ask('POST', '/api/v1/setup', {
        body: { code: panel.setup_code, name: 'ada', password: PASSWORD },
        headers,
      });
      assert.equal(got.status, 201, got.text);
      assert.match(
        got.headers.get('set-cookie') ?? '',
        /^__Host-mesh_session=.*; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
      );
      assert.match(got.headers.get('strict-transport-security') ?? '', /max-age=31536000/);
      const { body } = await browser.ask<{ items: { address: string }[] }>('GET', '/api/v1/sessions', { headers });
      assert.equal(body.items[0]?.address, '198.51.100.7');
      const plain = await browser.ask('POST', '/api/v1/auth/logout', {
        body: {},
        headers: { ...headers, origin: 'http://mesh.example' },
      });
      assert.equal(plain.body.code, 'origin_refused');
    } finally {
      await panel.close();
    }
  });
});

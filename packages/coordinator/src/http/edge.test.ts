import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { AuditEntry, Readiness } from '@meshwork/contract';
import { arrivalOf } from '../../test/arrival.ts';
import { TestCoordinator } from '../../test/harness.ts';
import { tlsPin } from '../tls-pin.ts';

const run = promisify(execFile);

/** Sends bytes as they are and returns everything that comes back. */
function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('the edge', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start({ MESH_METRICS_LISTEN: '127.0.0.1:0' });
  });
  after(() => mesh.close());

  it('keeps what it keeps to itself: the folder 700, the store, the key and the first token 600', async () => {
    assert.equal((await stat(mesh.folder)).mode & 0o777, 0o700);
    for (const file of ['mesh.db', 'master-key', 'bootstrap-token']) {
      assert.equal((await stat(join(mesh.folder, file))).mode & 0o777, 0o600, file);
    }
  });

  it('answers anonymous callers whether it runs and is ready, and nothing else', async () => {
    const health = await mesh.ask('GET', '/healthz', { token: null });
    assert.deepEqual([health.status, health.body], [200, { status: 'ok' }]);
    const ready = await mesh.ask<Readiness>('GET', '/readyz', { token: null });
    assert.deepEqual(
      [ready.status, ready.body.ready, ready.body.checks.map(({ name }) => name)],
      [200, true, ['store', 'model', 'master_key', 'running']],
    );
  });

  it('gives every answer an id of its own, whatever the caller sends', async () => {
    const ids = new Set<string>();
    for (let count = 0; count < 5; count++) {
      const got = await mesh.ask('GET', '/nowhere', { headers: { 'x-request-id': 'mine' } });
      ids.add(got.headers.get('x-request-id') ?? '');
      assert.equal(got.body.request_id, got.headers.get('x-request-id'));
    }
    assert.equal(ids.size, 5);
    assert.ok(!ids.has('mine'));
  });

  it('lets no page of another origin in', async () => {
    const preflight = await mesh.ask('OPTIONS', '/v1/auth/whoami', {
      token: null,
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
    });
    const plain = await mesh.ask('GET', '/v1/auth/whoami', { headers: { origin: 'https://elsewhere.example' } });
    for (const got of [preflight, plain]) {
      assert.deepEqual(
        [...got.headers.keys()].filter((name) => name.startsWith('access-control')),
        [],
      );
    }
    assert.equal(preflight.status, 405);
  });

  it('answers what is not HTTP, or too large a header, with a problem document', async () => {
    const garbage = await raw(mesh.url, 'hello\r\n\r\n');
    assert.match(garbage, /^HTTP\/1\.1 400 [\s\S]*application\/problem\+json[\s\S]*malformed_request/);
    const header = await raw(mesh.url, `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`);
    assert.match(header, /^HTTP\/1\.1 400 [\s\S]*headers are too large/);
    const smuggled = await raw(
      mesh.url,
      'POST /v1/auth/tokens HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
    );
    assert.match(smuggled, /^HTTP\/1\.1 400 /);
  });

  it('refuses a body on a GET', async () => {
    const got = await raw(
      mesh.url,
      `GET /v1/auth/whoami HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${mesh.owner}\r\nContent-Length: 2\r\n\r\n{}`,
    );
    assert.match(got, /^HTTP\/1\.1 400 [\s\S]*unexpected_body/);
  });

  it('refuses credentials in a way that reveals nothing to an attacker, and limits the rate', async () => {
    mesh.clock.advance(60); // whatever strangers tried above is forgiven by then
    using _ = mesh.clock.holdStill(); // no time passes that would forgive any of it
    const statuses = new Map<number, number>();
    for (let count = 0; count < 130; count++) {
      const { status } = await mesh.ask('GET', '/v1/auth/whoami', { token: 'mesh_guess' });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    assert.deepEqual([statuses.get(401), statuses.get(429)], [100, 30], JSON.stringify([...statuses]));
    assert.equal((await mesh.ask('GET', '/v1/auth/whoami')).status, 200, 'who has a token is not slowed down');
  });

  it('serves its metrics to who may read them, in the form that promtool accepts', async () => {
    await mesh.token();
    const got = await mesh.ask('GET', '/metrics');
    assert.equal(got.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    assert.match(
      got.text,
      /mesh_coordinator_http_request_duration_seconds_count\{operation="tokens.create",status="201"\} 1/,
    );
    assert.match(got.text, /mesh_coordinator_transactions_total \d+/);
    const checked = spawnSync('promtool', ['check', 'metrics'], { input: got.text, encoding: 'utf8' });
    assert.deepEqual([checked.status, checked.stdout, checked.stderr], [0, '', '']);
    assert.equal((await mesh.ask('GET', '/metrics', { token: null })).status, 401);
  });

  it('serves a reference page that may load nothing from anywhere', async () => {
    const got = await mesh.ask('GET', '/docs', { token: null });
    assert.equal(got.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(got.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/);
    assert.match(got.text, /^<!doctype html>/);
  });

  it('reads nothing of a body for a path that is not there, and knows no method that the table does not have', async () => {
    mesh.clock.advance(60);
    const nowhere = await mesh.ask('POST', '/nope', { token: null, raw: '{"half":' });
    assert.deepEqual([nowhere.status, nowhere.body.code], [404, 'route_not_found']);
    const half = await raw(
      mesh.url,
      'POST /nope HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n{',
    );
    assert.match(half, /^HTTP\/1\.1 404 /);
    const query = await raw(
      mesh.url,
      'QUERY /v1/auth/whoami HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
    );
    assert.match(query, /^HTTP\/1\.1 405 [\s\S]*allow: GET, HEAD/i);
  });

  it('answers with a problem document however odd the path is', async () => {
    const cases = { '/v1/auth/tokens/%zz': 400, [`/v1/auth/tokens/${'a'.repeat(5000)}`]: 404 };
    for (const [path, status] of Object.entries(cases)) {
      const got = await raw(
        mesh.url,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${mesh.owner}\r\n\r\n`,
      );
      assert.match(got, new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*x-request-id[\\s\\S]*problem\\+json`, 'i'), path);
    }
  });

  it('does not call it a bug of ours when a caller hangs up half-way', async () => {
    const { hostname, port } = new URL(mesh.url);
    const arrival = arrivalOf('POST', '/v1/auth/tokens');
    const socket = connect(Number(port), hostname);
    const head = `POST /v1/auth/tokens HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${mesh.owner}\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: 1000\r\n\r\n{"name":`);
    await arrival;
    socket.destroy();
    const series = 'mesh_coordinator_http_request_duration_seconds_count{operation="tokens.create",status="400"} 1';
    await mesh.until(async () => {
      const { text } = await mesh.ask('GET', '/metrics');
      assert.ok(!/status="500"/.test(text));
      return text.includes(series);
    });
  });

  it('lets two credentials at once count as none', async () => {
    const both = (first: string, second: string) =>
      raw(
        mesh.url,
        `GET /v1/auth/whoami HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${first}\r\nAuthorization: Bearer ${second}\r\n\r\n`,
      );
    assert.match(await both(mesh.owner, 'mesh_x'), /^HTTP\/1\.1 401 /);
    assert.match(await both(mesh.owner, mesh.owner), /^HTTP\/1\.1 401 /);
  });

  it('answers 100 Continue only to a caller that is permitted', async () => {
    const ask = (token: string) =>
      raw(
        mesh.url,
        `POST /v1/auth/roles HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
      );
    assert.match(await ask('mesh_x'), /^HTTP\/1\.1 401 /);
    assert.match(await ask(mesh.owner), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 422 /);
    const odd = await raw(
      mesh.url,
      `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: a-miracle\r\n\r\n`,
    );
    assert.match(odd, /^HTTP\/1\.1 400 [\s\S]*x-request-id[\s\S]*cannot be met/i);
  });

  it('takes JSON in UTF-8 only, and names every field that is wrong however many there are', async () => {
    const post = (raw: string | Uint8Array, type = 'application/json') =>
      fetch(`${mesh.url}/v1/auth/roles`, {
        method: 'POST',
        headers: { authorization: `Bearer ${mesh.owner}`, 'content-type': type },
        body: raw as string,
      });
    assert.equal((await post('{}', 'application/json; charset=utf-16')).status, 415);
    assert.equal((await post(new Uint8Array([0x22, 0xff, 0x22]))).status, 400);
    assert.equal((await post('null')).status, 422);
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, 1])));
    const { errors } = (await (await post(many)).json()) as { errors: { pointer: string }[] };
    assert.ok(errors.length >= 10 && errors.some(({ pointer }) => pointer === '/f0'), JSON.stringify(errors.length));
  });

  it('takes HEAD where it takes GET', async () => {
    mesh.clock.advance(60); // whatever was guessed above is forgiven by then
    const got = await mesh.ask('HEAD', '/v1/auth/whoami');
    assert.deepEqual([got.status, got.text], [200, '']);
    assert.equal((await mesh.ask('HEAD', '/v1/auth/whoami', { token: null })).status, 401);
  });

  it('finishes what it accepted when it goes down, refuses what comes after, and frees the port', async () => {
    const before = await mesh.token();
    const body = { name: 'at the last moment', scope: before.scope, expires: mesh.inDays(1) };
    const late = Array.from({ length: 50 }, () => mesh.ask('POST', '/v1/auth/tokens', { body }).catch(() => undefined));
    await new Promise((resolve) => setImmediate(resolve));
    await mesh.down();
    const answers = (await Promise.all(late)).filter((got) => got !== undefined);
    assert.ok(
      answers.every(({ status }) => status === 201 || status === 503),
      JSON.stringify(answers.map(({ status }) => status)),
    );
    await mesh.up();
    const listed = await mesh.ask<{ items: unknown[] }>('GET', '/v1/auth/tokens?q=last%20moment&limit=200');
    assert.equal(listed.body.items.length, answers.filter(({ status }) => status === 201).length);
  });
});

describe('the edge and callers that go at once', () => {
  it('knows where a change came from even when its caller reset the connection', async () => {
    const mesh = await TestCoordinator.start();
    try {
      const { hostname, port } = new URL(mesh.url);
      const body = '{"name":"reset","permissions":[]}';
      const head = `Host: x\r\nAuthorization: Bearer ${mesh.owner}\r\nContent-Type: application/json\r\n`;
      const bytes = (count: number) => {
        const text = body.replace('reset', `reset-${count}`);
        return `POST /v1/auth/roles HTTP/1.1\r\n${head}Content-Length: ${text.length}\r\n\r\n${text}`;
      };
      const script = `
        const { connect } = require('node:net');
        const [port, host, ...texts] = process.argv.slice(1);
        for (const text of texts) {
          const socket = connect(port, host, () => socket.write(text, () => socket.resetAndDestroy()));
          socket.on('error', () => undefined);
        }`;
      const texts = Array.from({ length: 30 }, (_, count) => bytes(count));
      await run(process.execPath, ['-e', script, '--', port, hostname, ...texts]);
      await mesh.down();
      await mesh.up();
      const { body: trail } = await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=roles.create&limit=200');
      assert.deepEqual(
        trail.items.filter(({ address }) => address !== '127.0.0.1'),
        [],
      );
    } finally {
      await mesh.close();
    }
  });

  it('goes down as soon as what it accepted is answered, though clients keep connections open', async () => {
    const mesh = await TestCoordinator.start();
    try {
      const { hostname, port } = new URL(mesh.url);
      const slow = connect(Number(port), hostname);
      let answer = '';
      slow.on('data', (chunk) => {
        answer += chunk;
      });
      slow.write(
        `POST /v1/auth/roles HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nAuthorization: Bearer ${mesh.owner}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`,
      );
      while (!answer.includes('100 Continue')) await new Promise((resolve) => setTimeout(resolve, 5));
      const closed = once(slow, 'close');
      const down = mesh.down();
      slow.write('{}');
      await Promise.all([down, closed]);
      assert.match(answer, /HTTP\/1\.1 422 /);
    } finally {
      await mesh.close();
    }
  });
});

describe('the edge behind TLS', () => {
  it('serves over https with the given certificate', async () => {
    const mesh = await TestCoordinator.start();
    try {
      await mesh.down();
      const [cert, key] = [join(mesh.folder, 'cert.pem'), join(mesh.folder, 'key.pem')];
      const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1', '-nodes'];
      const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
      await run('openssl', ['req', '-x509', ...ec, ...subject, '-keyout', key, '-out', cert]);
      Object.assign(mesh.env, { MESH_TLS_CERT: cert, MESH_TLS_KEY: key });
      const { tls_pin } = await mesh.up();
      assert.match(mesh.url, /^https:/);
      assert.equal(tls_pin, tlsPin(await readFile(cert, 'utf8')));
      const script = 'fetch(process.argv[1]).then(async (r) => process.stdout.write(r.status + await r.text()))';
      const asked = await run(process.execPath, ['-e', script, `${mesh.url}/healthz`], {
        env: { NODE_EXTRA_CA_CERTS: cert },
      });
      assert.equal(asked.stdout, '200{"status":"ok"}');
    } finally {
      await mesh.close();
    }
  });
});

import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { before, describe, it } from 'node:test';
import { createSecureContext } from 'node:tls';
import { makeRequest } from '@meshwork/pki/request';
import { routeOf } from '../../../test/ingress-section.ts';
import { meshCa } from '../../../test/mesh-ca.ts';
import { httpsUpstream, httpUpstream, tcpUpstream, type UpstreamServer } from '../../../test/upstream-server.ts';
import type { ProbedTarget } from './probe-outcome.ts';
import { probeTarget } from './probe-target.ts';

const ON = new AbortController().signal;
const PASSED = { result: 'passed' };
const failed = (why: string) => ({ result: 'failed', why });

type Check = Partial<ProbedTarget['check']>;

function targetAt({ address, port }: Pick<UpstreamServer, 'address' | 'port'>, over: Check = {}): ProbedTarget {
  const { check } = routeOf({ check: { kind: 'http', timeout_s: 5, ...over } });
  return { address, port, name: 'git-1.mesh', hostname: 'www.example.com', check };
}

/** What a check of a server says that answers like this. */
async function answered(listener: RequestListener, over: Check = {}) {
  await using server = await httpUpstream(listener);
  return await probeTarget(targetAt(server, over), ON);
}

async function spoken(speak: (socket: Socket) => void, over: Check = {}) {
  await using server = await tcpUpstream((socket) => socket.once('data', () => speak(socket)));
  return await probeTarget(targetAt(server, over), ON);
}

describe('a check', () => {
  it('by HTTP asks once, for what it should, and follows nothing', async () => {
    const requests: unknown[] = [];
    const outcome = await answered(
      ({ method, url, headers }, response) => {
        requests.push({ method, url, ...headers });
        response.writeHead(302, { location: '/elsewhere' }).end();
      },
      { path: '/health' },
    );
    assert.deepEqual(outcome, PASSED);
    assert.deepEqual(requests, [
      {
        method: 'GET',
        url: '/health',
        host: 'www.example.com',
        'user-agent': 'meshwork-gateway',
        accept: '*/*',
        'accept-encoding': 'identity',
        connection: 'close',
      },
    ]);
  });

  it('by HTTP takes the status that it should have', async () => {
    const withStatus = (code: number, status: string) =>
      answered((_, response) => response.writeHead(code).end(), { status });
    for (const [code, status] of [
      [200, '200-399'],
      [399, '200-399'],
      [204, '204'],
      [503, '500-599'],
    ] as const) {
      assert.deepEqual(await withStatus(code, status), PASSED);
    }
    assert.deepEqual(await withStatus(503, '200-399'), failed('status 503 instead of 200-399'));
    assert.deepEqual(await withStatus(400, '200-399'), failed('status 400 instead of 200-399'));
    assert.deepEqual(await withStatus(201, '200'), failed('status 201 instead of 200'));
  });

  it('by HTTP finds its text in the first 64 KiB, also across pieces, and reads no further', async () => {
    const body = 'all is "ok"';
    const sent = (...pieces: readonly string[]) =>
      answered(
        async (_, response) => {
          for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve));
          response.end();
        },
        { body },
      );
    const missing = failed('the body does not contain "all is \\"ok\\""');
    assert.deepEqual(await sent('yes: all is "ok".'), PASSED);
    assert.deepEqual(await sent('... all i', 's "o', 'k" ...'), PASSED);
    assert.deepEqual(await sent('all is not "ok"'), missing);
    assert.deepEqual(await sent(), missing);
    const filler = (bytes: number) => 'x'.repeat(bytes);
    assert.deepEqual(await sent(filler(64 * 1024 - body.length), body), PASSED);
    assert.deepEqual(await sent(filler(64 * 1024 - body.length + 1), body), missing);
  });

  it('ends with a body that does not', async () => {
    const endless: RequestListener = (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    };
    assert.deepEqual(await answered(endless, { body: 'ok' }), failed('the body does not contain "ok"'));
    assert.deepEqual(await answered(endless), PASSED, 'the status is all that is asked for');
    const stalls: RequestListener = (_, response) => response.write('o');
    assert.deepEqual(
      await answered(stalls, { body: 'ok', timeout_s: 0.2 }),
      failed('no end of the answer within 0.2 s'),
    );
  });

  it('fails when there is no answer in time, however far it came', async () => {
    const late = failed('no answer within 0.2 s');
    assert.deepEqual(await answered(() => undefined, { timeout_s: 0.2 }), late);
    assert.deepEqual(await spoken((socket) => socket.write('HTTP/1.1 200 OK\r\nslow: '), { timeout_s: 0.2 }), late);
  });

  it('fails when the connection is closed or there is none', async () => {
    const gone = failed('the connection was closed without an answer');
    assert.deepEqual(await spoken((socket) => socket.destroy()), gone);
    assert.deepEqual(await spoken((socket) => socket.resetAndDestroy()), gone);
    assert.deepEqual(await spoken((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-')), gone);
    const partial = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf';
    assert.deepEqual(await spoken((socket) => socket.end(partial), { body: 'ok' }), failed('the answer was cut short'));
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
    assert.deepEqual(await spoken((socket) => socket.write(upgrade)), gone);
    const server = await httpUpstream(() => undefined);
    await server[Symbol.asyncDispose]();
    for (const kind of ['http', 'tcp'] as const) {
      assert.deepEqual(await probeTarget(targetAt(server, { kind }), ON), failed('connection refused'));
    }
  });

  it('fails when what answers speaks no HTTP', async () => {
    const strange = failed('the answer is no HTTP');
    assert.deepEqual(await spoken((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')), strange);
    const flood = `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`;
    assert.deepEqual(await spoken((socket) => socket.end(flood)), strange);
  });

  it('by TCP needs a connection and nothing else, and closes it', async () => {
    await using server = await tcpUpstream(() => undefined);
    assert.deepEqual(await probeTarget(targetAt(server, { kind: 'tcp' }), ON), PASSED);
    assert.equal(server.opened, 1);
    while (server.open > 0) await new Promise(setImmediate);
  });

  it('of what cannot be a place says so, and is no failure of it', async () => {
    const nowhere = targetAt({ address: '127.0.0.1', port: 70_000 });
    for (const kind of ['http', 'tcp'] as const) {
      const outcome = await probeTarget({ ...nowhere, check: { ...nowhere.check, kind } }, ON);
      assert.equal(outcome.result, 'unchecked');
    }
  });

  it('ends at once when it is stopped, before and while it runs, and closes its connection', async () => {
    await using server = await httpUpstream(() => undefined);
    for (const kind of ['http', 'tcp'] as const) {
      const outcome = await probeTarget(targetAt(server, { kind }), AbortSignal.abort());
      assert.equal(outcome.result, 'unchecked');
    }
    assert.equal(server.opened, 0);
    const stopping = new AbortController();
    const running = probeTarget(targetAt(server, { timeout_s: 60 }), stopping.signal);
    while (server.open === 0) await new Promise(setImmediate);
    stopping.abort();
    assert.equal((await running).result, 'unchecked');
    while (server.open > 0) await new Promise(setImmediate);
  });
});

describe('a check by HTTPS', () => {
  let mesh: Awaited<ReturnType<typeof meshCa>>;
  let key: string;
  let request: string;

  before(async () => {
    mesh = await meshCa();
    ({ private_key: key, request } = await makeRequest());
  });

  /** What a check says of a server with this certificate. */
  const checked = async (cert: string, over: Partial<ProbedTarget> = {}) => {
    await using secure = await httpsUpstream({ cert, key }, (_, response) => response.end('ok'));
    const tls = createSecureContext({ ca: mesh.root });
    return await probeTarget({ ...targetAt(secure, { body: 'ok' }), tls, ...over }, ON);
  };

  it('passes with a certificate of the mesh for the name of the node', async () => {
    const other = await meshCa('other');
    const cert = await mesh.sign(request);
    assert.deepEqual(await checked(cert), PASSED);
    const both = createSecureContext({ ca: other.root + mesh.root });
    assert.deepEqual(await checked(cert, { tls: both }), PASSED, 'while the root is being replaced');
  });

  it('fails with one that is for another name, expired, or of another CA', async () => {
    const cert = await mesh.sign(request);
    assert.deepEqual(await checked(cert, { name: 'web-1.mesh' }), failed('the certificate is not for web-1.mesh'));
    const expired = await mesh.sign(request, new Date(Date.now() - 60_000));
    assert.deepEqual(await checked(expired), failed('the certificate has expired'));
    const other = await meshCa('other');
    const foreign = failed('the certificate is not from the CA of the mesh');
    assert.deepEqual(await checked(await other.sign(request)), foreign);
    assert.deepEqual(await checked((await other.sign(request)) + other.root), foreign);
    const [leaf = ''] = cert.split(/(?<=END CERTIFICATE-----\n)/);
    assert.deepEqual(await checked(leaf), foreign, 'without its intermediate it leads to no root');
  });

  it('fails with a server that speaks no TLS', async () => {
    await using plain = await httpUpstream((_, response) => response.end());
    const tls = createSecureContext({ ca: mesh.root });
    const outcome = await probeTarget({ ...targetAt(plain), tls }, ON);
    assert.deepEqual(outcome, failed('it does not speak TLS as it should'));
    await using silent = await tcpUpstream(() => undefined);
    const late = await probeTarget({ ...targetAt(silent, { timeout_s: 0.2 }), tls }, ON);
    assert.deepEqual(late, failed('no answer within 0.2 s'));
  });
});

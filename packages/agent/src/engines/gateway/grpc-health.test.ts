import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { before, describe, it, test } from 'node:test';
import { createSecureContext } from 'node:tls';
import { makeRequest } from '@meshwork/pki/request';
import fc from 'fast-check';
import { routeOf } from '../../../test/ingress-section.ts';
import { meshCa } from '../../../test/mesh-ca.ts';
import { UNUSED_PORT } from '../../../test/unused-port.ts';
import { httpsUpstream, httpUpstream, tcpUpstream } from '../../../test/upstream-server.ts';
import { healthRequest, servingState } from './grpc-message.ts';
import type { ProbedTarget } from './probe-outcome.ts';
import { probeTarget } from './probe-target.ts';

const ON = new AbortController().signal;
const PASSED = { result: 'passed' };
const failed = (why: string) => ({ result: 'failed', why });
const SERVING = Buffer.from([0, 0, 0, 0, 2, 8, 1]);

test('a question is what the protocol says, for a service of any length', () => {
  assert.deepEqual([...healthRequest(null)], [0, 0, 0, 0, 0]);
  assert.deepEqual([...healthRequest('a.B')], [0, 0, 0, 0, 5, 10, 3, 97, 46, 66]);
  const long = healthRequest('x'.repeat(200));
  assert.deepEqual([...long.subarray(0, 8)], [0, 0, 0, 0, 203, 10, 200, 1]);
  assert.equal(long.length, 208);
});

test('an answer is read with fields of later versions in it, and nothing else is taken for one', () => {
  const framed = (...bytes: readonly number[]) => Buffer.from([0, 0, 0, 0, bytes.length, ...bytes]);
  assert.equal(servingState(SERVING), 'SERVING');
  assert.equal(servingState(framed()), 'UNKNOWN');
  assert.equal(servingState(framed(8, 2)), 'NOT_SERVING');
  assert.equal(servingState(framed(8, 3)), 'SERVICE_UNKNOWN');
  assert.equal(servingState(framed(18, 2, 1, 1, 8, 1, 29, 0, 0, 0, 0, 33, 0, 0, 0, 0, 0, 0, 0, 0)), 'SERVING');
  const bad = [
    Buffer.alloc(0),
    Buffer.from([0, 0, 0, 0]),
    Buffer.from([1, 0, 0, 0, 2, 8, 1]),
    Buffer.from([0, 0, 0, 0, 3, 8, 1]),
    framed(8),
    framed(8, 9),
    framed(8, 255),
    framed(18, 5, 1),
    framed(11),
    framed(8, ...Array.from({ length: 11 }, () => 255)),
  ];
  for (const one of bad) assert.equal(servingState(one), undefined, one.toString('hex'));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      servingState(framed(...bytes)); // it ends, and throws nothing
    }),
  );
});

type Speak = (stream: ServerHttp2Stream, asked: { headers: Record<string, unknown>; body: string }) => void;

async function serving(speak: Speak, secret?: { cert: string; key: string }) {
  const server: Http2Server | Http2SecureServer = secret === undefined ? createServer() : createSecureServer(secret);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('end', () => speak(stream, { headers, body: Buffer.concat(pieces).toString('hex') }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    get open() {
      return sockets.size;
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** As a server of gRPC answers. */
function says(answer: Buffer, status = '0', message?: string): Speak {
  return (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () =>
      stream.sendTrailers({ 'grpc-status': status, ...(message === undefined ? {} : { 'grpc-message': message }) }),
    );
    stream.end(answer);
  };
}

function fails(status: string, message?: string): Speak {
  const words = message === undefined ? {} : { 'grpc-message': message };
  return (stream) => stream.respond({ ':status': 200, 'grpc-status': status, ...words }, { endStream: true });
}

type Check = Partial<ProbedTarget['check']>;

function targetAt(
  { address, port }: { address: string; port: number },
  over: Check = {},
  tls?: ProbedTarget['tls'],
): ProbedTarget {
  const { check } = routeOf({ check: { kind: 'grpc', timeout_s: 5, ...over } });
  return { address, port, name: 'git-1.mesh', hostname: 'www.example.com', check, tls };
}

async function asked(speak: Speak, over: Check = {}) {
  await using server = await serving(speak);
  return await probeTarget(targetAt(server, over), ON);
}

describe('a check by the health protocol of gRPC', { timeout: 60_000 }, () => {
  it('asks once, as the protocol says, and gives its connection back', async () => {
    const questions: unknown[] = [];
    await using server = await serving((stream, question) => {
      questions.push(question.body, question.headers[':path'], question.headers['content-type'], question.headers.te);
      says(SERVING)(stream, question);
    });
    const service = 'shop.Cart';
    assert.deepEqual(await probeTarget(targetAt(server, { grpc_service: service }), ON), PASSED);
    assert.deepEqual(questions, [
      healthRequest(service).toString('hex'),
      '/grpc.health.v1.Health/Check',
      'application/grpc',
      'trailers',
    ]);
    while (server.open > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  it('says why it failed', async () => {
    const state = (number: number) => says(Buffer.from([0, 0, 0, 0, 2, 8, number]));
    assert.deepEqual(await asked(state(2)), failed('it says that it does not serve'));
    assert.deepEqual(await asked(state(0)), failed('it says that it does not know whether it serves'));
    assert.deepEqual(await asked(state(3)), failed('it says that it does not know the service'));
    assert.deepEqual(await asked(fails('12')), failed('the service has no health protocol'));
    assert.deepEqual(await asked(says(Buffer.alloc(0), '12')), failed('the service has no health protocol'));
    assert.deepEqual(
      await asked(fails('5'), { grpc_service: 'a.B' }),
      failed('the health protocol knows no service "a.B"'),
    );
    assert.deepEqual(await asked(fails('14', 'going down')), failed('gRPC status 14: going down'));
    assert.deepEqual(
      await asked(says(SERVING, '2', `x${'y'.repeat(500)}`)),
      failed(`gRPC status 2: x${'y'.repeat(99)}`),
    );
    assert.deepEqual(
      await asked((stream) => stream.respond({ ':status': 503 }, { endStream: true })),
      failed('status 503 instead of 200'),
    );
    const plain: Speak = (stream) => {
      stream.respond({ ':status': 200 });
      stream.end('<html>');
    };
    assert.deepEqual(await asked(plain), failed('the answer is no gRPC'));
    assert.deepEqual(await asked(says(Buffer.from('garbage'))), failed('the answer is none of the health protocol'));
    assert.deepEqual(await asked(fails('0')), failed('the answer is none of the health protocol'));
    assert.deepEqual(
      await asked(says(Buffer.alloc(2000))),
      failed('the answer is larger than one of the health protocol'),
    );
    assert.deepEqual(
      await asked((stream) => stream.session?.destroy()),
      failed('the connection was closed without an answer'),
    );
    assert.deepEqual(await asked((stream) => stream.close(7)), failed('the answer is no HTTP/2'));
  });

  it('of what is no gRPC at all', async () => {
    await using garbage = await tcpUpstream((socket) => socket.end('220 mail ESMTP\r\n'.repeat(20)));
    assert.deepEqual(await probeTarget(targetAt(garbage), ON), failed('the answer is no HTTP/2'));
    await using http1 = await httpUpstream((_, response) => response.end('hello'));
    assert.equal((await probeTarget(targetAt(http1), ON)).result, 'failed');
    const nothing = { address: '127.0.0.1', port: UNUSED_PORT };
    assert.deepEqual(await probeTarget(targetAt(nothing), ON), failed('connection refused'));
  });

  it('ends in time, whether no answer comes or no end of it', async () => {
    assert.deepEqual(await asked(() => undefined, { timeout_s: 1 }), failed('no end of the answer within 1 s'));
    const dripping: Speak = (stream) => {
      stream.respond({ ':status': 200 });
      stream.write(SERVING);
    };
    assert.deepEqual(await asked(dripping, { timeout_s: 1 }), failed('no end of the answer within 1 s'));
    await using silent = await tcpUpstream(() => undefined);
    const ending = new AbortController();
    const ended = probeTarget(targetAt(silent), ending.signal);
    ending.abort();
    assert.equal((await ended).result, 'unchecked');
  });

  describe('over TLS', () => {
    let secret: { cert: string; key: string };
    let root: string;
    before(async () => {
      const ca = await meshCa();
      const { private_key: key, request } = await makeRequest();
      secret = { cert: await ca.sign(request), key };
      root = ca.root;
    });

    it('takes a certificate of the mesh for the name of the node, and no other', async () => {
      await using server = await serving(says(SERVING), secret);
      const tls = createSecureContext({ ca: root });
      assert.deepEqual(await probeTarget(targetAt(server, {}, tls), ON), PASSED);
      const renamed = { ...targetAt(server, {}, tls), name: 'git-2.mesh' };
      assert.deepEqual(await probeTarget(renamed, ON), failed('the certificate is not for git-2.mesh'));
      const other = createSecureContext({ ca: (await meshCa('other')).root });
      assert.deepEqual(
        await probeTarget(targetAt(server, {}, other), ON),
        failed('the certificate is not from the CA of the mesh'),
      );
      await using http1 = await httpsUpstream(secret, (_, response) => response.end());
      assert.equal((await probeTarget(targetAt(http1, {}, tls), ON)).result, 'failed');
    });
  });
});

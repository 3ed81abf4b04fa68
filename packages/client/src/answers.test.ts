import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { json, loopbackServer, problem, problemOf } from '../test/loopback-server.ts';
import { ApiError } from './api-error.ts';
import { createClient } from './client.ts';
import { UnreachableError, unreachable } from './unreachable-error.ts';

const token = 'mesh_never-to-be-seen';

async function failureOf<E extends Error>(call: Promise<unknown>, type: new (...args: never[]) => E): Promise<E> {
  const error = await call.then(
    () => assert.fail('it should have been refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof type, inspect(error));
  assert.ok(!inspect(error, { depth: 10 }).includes(token), 'the token shows in the error');
  return error;
}

test('a problem document becomes an ApiError with everything it says', async () => {
  const errors = [{ pointer: '/expires', detail: 'lies in the past' }];
  const document = problemOf('invalid', '/expires lies in the past', { errors });
  await using server = await loopbackServer((_, response) => problem(response, document));
  const error = await failureOf(createClient({ url: server.url, token }).call('self.whoami'), ApiError);
  assert.equal(error.message, '/expires lies in the past');
  assert.deepEqual(
    { status: error.status, code: error.code, retryable: error.retryable, request_id: error.request_id },
    { status: 422, code: 'invalid', retryable: false, request_id: 'req_test-1' },
  );
  assert.deepEqual(error.errors, errors);
  assert.deepEqual(error.problem, document);
});

test('a problem with a code that this client does not know is still a problem', async () => {
  const document = { ...problemOf('internal'), code: 'from_the_future', status: 507, retryable: false };
  await using server = await loopbackServer((_, response) => problem(response, document));
  const error = await failureOf(createClient({ url: server.url }).call('self.whoami'), ApiError);
  assert.equal(error.code, 'from_the_future');
  assert.equal(error.status, 507);
});

test('an HTML page from a proxy is named for what it is and not repeated', async () => {
  await using server = await loopbackServer((_, response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
  );
  const error = await failureOf(createClient({ url: server.url, retry: false }).call('self.whoami'), ApiError);
  assert.equal(error.code, 'unexpected_answer');
  assert.equal(error.retryable, true);
  assert.equal(error.problem, null);
  assert.match(error.message, /answered 502 with text\/html, not a problem document/);
});

test('the reasons of an unready coordinator are kept, though they are not a problem document', async () => {
  const body = { ready: false, checks: [{ name: 'store', ok: false, detail: 'not connected' }] };
  await using server = await loopbackServer((_, response) => json(response, body, 503));
  const error = await failureOf(createClient({ url: server.url, retry: false }).call('meta.ready'), ApiError);
  assert.deepEqual(error.body, body);
});

test('a good answer that is not what the operation answers is refused', async () => {
  const wrong = { 'text/html': '<!doctype html>', 'application/json': '{"actor": {"kind"' };
  for (const [type, text] of Object.entries(wrong)) {
    await using server = await loopbackServer((_, response) =>
      response.writeHead(200, { 'content-type': type }).end(text),
    );
    const error = await failureOf(createClient({ url: server.url, token }).call('self.whoami'), ApiError);
    assert.equal(error.code, 'unexpected_answer', type);
  }
});

test('an answer that breaks off is not taken for a whole one', async () => {
  await using server = await loopbackServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"items":[]', () => response.destroy());
  });
  const client = createClient({ url: server.url, token, retry: false });
  const error = await failureOf(client.call('tokens.list'), UnreachableError);
  assert.equal(error.reason, 'broken');
});

test('a redirect is refused, and the token goes nowhere else', async () => {
  await using elsewhere = await loopbackServer((_, response) => json(response, {}));
  for (const status of [301, 302, 303, 307, 308]) {
    await using server = await loopbackServer((_, response) =>
      response.writeHead(status, { location: `${elsewhere.url}/v1/auth/whoami` }).end(),
    );
    const error = await failureOf(createClient({ url: server.url, token }).call('self.whoami'), ApiError);
    assert.equal(error.code, 'redirect_refused');
    assert.ok(error.message.includes(elsewhere.url));
  }
  assert.equal(elsewhere.seen.length, 0);
});

test('a token that an answer echoes does not reach the error', async () => {
  await using server = await loopbackServer((request, response) => {
    problem(response, problemOf('internal', `you sent ${request.headers.authorization}`));
  });
  const error = await failureOf(createClient({ url: server.url, token }).call('self.whoami'), ApiError);
  assert.equal(error.message, 'you sent Bearer [token]');
  const own = await failureOf(createClient({ url: server.url }).call('self.whoami', { token }), ApiError);
  assert.equal(own.message, 'you sent Bearer [token]');
});

test('a token that cannot be a header is refused without being repeated', () => {
  assert.throws(
    () => createClient({ url: 'http://127.0.0.1:1', token: `${token}\nX-Evil: 1` }),
    (error: Error) => error instanceof TypeError && !inspect(error).includes(token),
  );
});

test('a silent server is given up on', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked = Promise.withResolvers<void>();
  await using server = await loopbackServer(() => asked.resolve());
  const client = createClient({ url: server.url, token, timeout_ms: 50 });
  const failure = failureOf(client.call('self.whoami'), UnreachableError);
  await asked.promise;
  t.mock.timers.tick(50);
  const error = await failure;
  assert.equal(error.reason, 'timeout');
  assert.equal(error.message, `cannot reach ${server.url}: no answer came in time`);
  assert.equal(server.seen.length, 1);
});

test('the time limit holds for the body too', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const begun = Promise.withResolvers<void>();
  await using server = await loopbackServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{');
  });
  const client = createClient({
    url: server.url,
    token,
    fetch: async (...request) => {
      const response = await fetch(...request);
      begun.resolve();
      return response;
    },
  });
  const failure = failureOf(client.call('self.whoami', { timeout_ms: 50 }), UnreachableError);
  await begun.promise;
  await setImmediate(); // by then the client reads the body
  t.mock.timers.tick(50);
  assert.equal((await failure).reason, 'timeout');
});

test("the caller's own signal ends a call with its own reason", async () => {
  const controller = new AbortController();
  await using server = await loopbackServer(() => controller.abort(new Error('enough')));
  const client = createClient({ url: server.url });
  await assert.rejects(client.call('self.whoami', { signal: controller.signal }), /enough/);
  await assert.rejects(
    createClient({ url: server.url, signal: controller.signal }).call('self.whoami'),
    /enough/,
    'a client that was ended stays ended',
  );
});

test('a failed connection is explained in plain words', async () => {
  const whoami = (url: string) =>
    failureOf(createClient({ url, token, retry: false }).call('self.whoami'), UnreachableError);
  await using server = await loopbackServer((_, response) => {
    response.socket?.end('220 mail.example ESMTP\r\n'); // past the HTTP server, as another program would
  });
  assert.equal((await whoami(server.url)).reason, 'not_http');
  assert.equal((await whoami(server.url.replace('http:', 'https:'))).reason, 'tls');
  // The local end of a connection: nothing listens there, and while the port is in use the system gives it to no other socket.
  const host = '127.0.0.1';
  const caller = connect({ host, port: Number(new URL(server.url).port), localAddress: host });
  try {
    await once(caller, 'connect');
    const url = `http://${host}:${caller.localPort}`;
    const { message } = await whoami(url);
    assert.equal(message, `cannot reach ${url}: the connection was refused; nothing listens there`);
  } finally {
    caller.destroy();
  }
});

test('every reason the platform gives has its words', () => {
  const reasons = {
    ENOTFOUND: 'name_not_found',
    EAI_AGAIN: 'name_lookup',
    EHOSTUNREACH: 'network',
    UND_ERR_CONNECT_TIMEOUT: 'timeout',
    UND_ERR_SOCKET: 'broken',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
    CERT_HAS_EXPIRED: 'tls',
    ERR_TLS_CERT_ALTNAME_INVALID: 'tls',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
    SOMETHING_NEW: 'other',
  };
  for (const [code, reason] of Object.entries(reasons)) {
    const cause = Object.assign(new Error(code), { code });
    assert.equal(unreachable('http://host', new TypeError('fetch failed', { cause })).reason, reason, code);
  }
});

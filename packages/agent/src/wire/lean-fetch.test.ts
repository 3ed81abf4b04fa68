import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiError, createClient, UnreachableError } from '@meshwork/client';
import { json, loopbackServer, problem, problemOf } from '@meshwork/client/testing';
import { UNUSED_URL } from '../../test/unused-port.ts';
import { runCommand } from '../host/run-command.ts';
import { LeanFetch } from './lean-fetch.ts';

function setUp(url: string, max_idle?: number) {
  const lean = new LeanFetch({}, max_idle);
  const client = createClient({ url, fetch: lean.fetch, retry: false, token: 'mesh_x' });
  return { lean, client, [Symbol.dispose]: () => lean.close() };
}

test('a client cannot tell it from the platform’s', async () => {
  await using server = await loopbackServer((request, response) => {
    if (request.url.endsWith('whoami')) json(response, { ok: 'é' }, 200, { etag: '"1"' });
    else if (request.method === 'DELETE') response.writeHead(204).end();
    else problem(response, problemOf('busy'), { 'retry-after': '3' });
  });
  using it = setUp(server.url);
  const reply = await it.client.call('self.whoami');
  assert.deepEqual([reply.body, reply.etag], [{ ok: 'é' }, '"1"']);
  await it.client.call('roles.delete', { params: { name: 'x' } });
  const refused = it.client.call('roles.create', { body: { name: 'ü', permissions: [] } });
  await assert.rejects(refused, (error: ApiError) => error.code === 'busy' && error.retry_after_s === 3);
  assert.deepEqual(JSON.parse(server.seen.at(-1)?.body ?? ''), { name: 'ü', permissions: [] });
  assert.equal(server.seen.at(-1)?.headers.authorization, 'Bearer mesh_x');
});

test('what goes wrong on the way has the same words', async () => {
  const server = await loopbackServer((request, response) => {
    if (request.url.endsWith('whoami')) response.destroy();
    else
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': '9' })
        .write('{', () => response.destroy());
  });
  using it = setUp(server.url);
  const reason = (call: Promise<unknown>) =>
    call.then(
      () => assert.fail('it should have failed'),
      (error: unknown) => (error instanceof UnreachableError ? error.reason : error),
    );
  assert.equal(await reason(it.client.call('self.whoami')), 'broken');
  assert.equal(await reason(it.client.call('roles.list')), 'broken');
  await server[Symbol.asyncDispose]();
  using unused = setUp(UNUSED_URL);
  assert.equal(await reason(unused.client.call('self.whoami')), 'refused');
});

test('a call that waits ends with its signal, its time limit, or its connection', async () => {
  await using server = await loopbackServer(() => undefined);
  using it = setUp(server.url);
  const controller = new AbortController();
  const ended = it.client.call('self.whoami', { signal: controller.signal });
  while (server.seen.length < 1) await delay(1);
  controller.abort(new Error('enough'));
  await assert.rejects(ended, /enough/);
  await assert.rejects(it.client.call('self.whoami', { timeout_ms: 20 }), /no answer came in time/);
  // The one before may have run out of time before it was sent: so this one is known by what it asks for.
  const dropped = it.client.call('roles.list');
  while (!server.seen.some(({ url }) => url.endsWith('/roles'))) await delay(1);
  it.lean.drop();
  await assert.rejects(dropped, (error: UnreachableError) => error.reason === 'broken');
});

test('after a refresh calls use new connections, and those under way end as they would', async () => {
  let release: () => void = () => undefined;
  const opened = new Set<unknown>();
  await using server = await loopbackServer((request, response) => {
    opened.add(response.socket);
    const answer = () => json(response, {});
    if (request.url.endsWith('/roles')) release = answer;
    else answer();
  });
  using it = setUp(server.url);
  await it.client.call('self.whoami');
  await it.client.call('self.whoami');
  assert.equal(opened.size, 1);
  const waiting = it.client.call('roles.list');
  while (!server.seen.some(({ url }) => url.endsWith('/roles'))) await delay(1);
  it.lean.refresh();
  await it.client.call('self.whoami');
  assert.equal(opened.size, 2);
  release();
  await waiting;
  it.lean.refresh();
  await it.client.call('self.whoami');
  assert.equal(opened.size, 3);
  const broken = it.client.call('roles.list');
  while (server.seen.filter(({ url }) => url.endsWith('/roles')).length < 2) await delay(1);
  it.lean.refresh();
  it.lean.drop();
  await assert.rejects(broken, (error: UnreachableError) => error.reason === 'broken');
});

test('two thousand calls wait at the same time, and their connections are used again', async () => {
  const waiting: (() => void)[] = [];
  const connections = new Set<unknown>();
  await using server = await loopbackServer((_, response) => {
    connections.add(response.socket);
    waiting.push(() => json(response, {}));
  });
  using it = setUp(server.url, 2000);
  for (const round of [1, 2]) {
    const calls: Promise<unknown>[] = [];
    while (calls.length < 2000) {
      // Not all at once: a server has room for some hundred that knock, and the others would try again seconds later.
      const together = round === 1 ? 200 : 2000;
      for (let more = 0; more < together; more += 1) calls.push(it.client.call('self.whoami'));
      while (waiting.length < calls.length) await delay(1);
    }
    for (const answer of waiting.splice(0)) answer();
    await Promise.all(calls);
    assert.equal(server.seen.length, 2000 * round);
    assert.equal(connections.size, 2000);
  }
});

test('a status that no answer may have fails the call, and nothing else', async () => {
  for (const status of ['205 Reset Content', '101 Switching', '600 Odd', '999 Odd', '000 Odd']) {
    const server = createServer((socket) => {
      socket.on('error', () => undefined); // a client that cannot parse it hangs up
      socket.once('data', () => socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    using it = setUp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await assert.rejects(it.client.call('self.whoami'), UnreachableError, status);
    server.close();
  }
});

test('an answer without an end is not taken in', async () => {
  const piece = 'x'.repeat(1024 * 1024);
  let sent = 0;
  await using server = await loopbackServer(async (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const closed = new Promise((resolve) => response.once('close', resolve));
    for (; !response.destroyed && sent < 200; sent += 1) {
      // No more than is taken in, so that what was sent says where it was cut off.
      if (!response.write(piece))
        await Promise.race([new Promise((resolve) => response.once('drain', resolve)), closed]);
    }
    response.end();
  });
  using it = setUp(server.url);
  await assert.rejects(it.client.call('self.whoami'), UnreachableError);
  assert.ok(sent < 200, 'it was cut off');
});

test('the platform’s own fetch is never loaded: a node has no memory to spare for it', async () => {
  const child = join(import.meta.dirname, '../../test/lean-child.ts');
  const said = await runCommand(process.execPath, [child]);
  assert.deepEqual(JSON.parse(said), { status: 204, heavy: [] });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { collect } from '../test/collect.ts';
import { json, loopbackServer, problem, problemOf } from '../test/loopback-server.ts';
import { createClient } from './client.ts';
import { splitLines } from './lines.ts';

const ndjson = { 'content-type': 'application/x-ndjson' };
const client = (url: string) => createClient({ url, clock: { now: () => 0, sleep: async () => undefined } });

test('a stream is read line by line, wherever its pieces end', async () => {
  const entries = ['naïve', '日本語', '🦊', ''].map((detail, index) => ({ seq: index + 1, detail }));
  const bytes = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  for (let size = 1; size < bytes.length; size++) {
    const pieces = (async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    })();
    const lines = await collect(splitLines(pieces));
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      entries,
      `in pieces of ${size}`,
    );
  }
});

test('every entry of an export comes through, and the last line needs no end', async () => {
  await using server = await loopbackServer((_, response) => {
    response.writeHead(200, ndjson);
    response.write('{"seq":1}\n{"se', () => response.write('q":2}\n\n', () => response.end('{"seq":3}')));
  });
  const entries = await collect(client(server.url).lines('audit.list', { query: { outcome: 'refused' } }));
  assert.deepEqual(
    entries.map((entry) => entry.seq),
    [1, 2, 3],
  );
  assert.equal(server.seen[0]?.headers.accept, 'application/x-ndjson');
  assert.equal(server.seen[0]?.url, '/v1/audit?outcome=refused');
});

test('a stream that breaks off breaks the iteration, and what came before is not read twice', async () => {
  await using server = await loopbackServer((_, response) => {
    response.writeHead(200, ndjson);
    response.write('{"seq":1}\n', () => response.socket?.resetAndDestroy());
  });
  const seen: number[] = [];
  await assert.rejects(
    async () => {
      for await (const entry of client(server.url).lines('audit.list')) seen.push(entry.seq);
    },
    { name: 'UnreachableError', reason: 'broken' },
  );
  assert.ok(seen.length <= 1);
  assert.equal(server.seen.length, 1);
});

test('only the opening of a stream is tried again', async () => {
  await using server = await loopbackServer((_, response, number) => {
    if (number === 1) problem(response, problemOf('busy'));
    else response.writeHead(200, ndjson).end('{"seq":1}\n');
  });
  assert.equal((await collect(client(server.url).lines('audit.list'))).length, 1);
  assert.equal(server.seen.length, 2);
});

test('a stream may take long, and so may its reader, as long as the other side is not silent for long', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const said = Promise.withResolvers<(seq: number) => void>();
  await using server = await loopbackServer((_, response) => {
    response.writeHead(200, ndjson).flushHeaders();
    said.resolve((seq) => response.write(`{"seq":${seq}}\n`));
  });
  const entries = client(server.url).lines('audit.list', { timeout_ms: 500 });
  for (let seq = 1; seq <= 8; seq++) {
    const entry = entries.next();
    const say = await said.promise;
    await setImmediate(); // by then the client is waiting, and its limit running
    t.mock.timers.tick(400);
    say(seq);
    assert.equal((await entry).value?.seq, seq);
    t.mock.timers.tick(9000);
  }
  const silence = assert.rejects(entries.next(), { name: 'UnreachableError', reason: 'timeout' });
  await setImmediate();
  t.mock.timers.tick(500);
  await silence;
});

test('leaving the loop early ends the request', async () => {
  const closed = Promise.withResolvers<void>();
  await using server = await loopbackServer((_, response) => {
    response.on('close', () => closed.resolve());
    response.writeHead(200, ndjson).write('{"seq":1}\n');
  });
  for await (const entry of client(server.url).lines('audit.list')) {
    assert.equal(entry.seq, 1);
    break;
  }
  await closed.promise;
});

test('a page where a stream was asked for, or a line that is not JSON, is refused', async () => {
  await using page = await loopbackServer((_, response) => json(response, { items: [], next_cursor: null }));
  await assert.rejects(collect(client(page.url).lines('audit.list')), { code: 'unexpected_answer' });
  await using torn = await loopbackServer((_, response) => response.writeHead(200, ndjson).end('{"seq":1}\n{"se'));
  await assert.rejects(collect(client(torn.url).lines('audit.list')), /line 2 is not JSON/);
});

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { EventRecord } from '@meshwork/contract';
import { collect } from '../test/collect.ts';
import { type LoopbackServer, loopbackServer, problem, problemOf } from '../test/loopback-server.ts';
import { type Client, createClient } from './client.ts';
import type { StreamedEvent } from './events.ts';
import { readBlocks } from './sse.ts';

const record = (seq: number): EventRecord => ({
  seq,
  type: 'node.settled',
  at: '2026-11-15T09:30:00.000Z',
  subject: { kind: 'node', id: 'n' },
  revision: seq,
  data: { name: 'naïve' },
});
const frame = (seq: number) => `id: ${seq}\nevent: node.settled\ndata: ${JSON.stringify(record(seq))}\n\n`;
const opened = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });

function clientOf(server: LoopbackServer, pauses: number[] = []): Client {
  const clock = { now: () => 0, sleep: async (ms: number) => void pauses.push(ms) };
  return createClient({ url: server.url, token: 'mesh_x', clock, random: () => 1, retry: { attempts: 3 } });
}

async function take(events: AsyncGenerator<StreamedEvent>, count: number): Promise<StreamedEvent[]> {
  const taken: StreamedEvent[] = [];
  for await (const event of events) if (taken.push(event) === count) break;
  return taken;
}
const seqs = (events: readonly StreamedEvent[]) =>
  events.map((event) => (event.type === 'reset' ? 'reset' : event.seq));

test('blocks are read as the standard says', async () => {
  async function* lines() {
    yield* 'retry: 2000\r\nid:7\r\n\r\n: hello\n\nevent: a\ndata: one\ndata:two\ndata\nfuture: x\n\nretry: soon\n\nid: torn'.split(
      '\n',
    );
  }
  assert.deepEqual(await collect(readBlocks(lines())), [
    { retry_ms: 2000, id: '7' },
    { event: 'a', data: 'one\ntwo\n' },
  ]);
});

test('a broken stream resumes where it broke, without losing or repeating an event', async () => {
  await using server = await loopbackServer((_, response, number) => {
    if (number === 1) opened(response).end('retry: 500\nid: 3\n\n');
    else if (number === 2) opened(response).write(`${frame(4)}${frame(5)}id: 6\nda`, () => response.destroy());
    else if (number === 3) problem(response, problemOf('shutting_down'));
    else opened(response).write(`: still here\nid: 9\n\n${frame(10)}`);
  });
  const [pauses, breaks]: [number[], unknown[]] = [[], []];
  let connections = 0;
  const events = clientOf(server, pauses).events(
    { type: 'node.*' },
    { broke: (error) => breaks.push(error), opened: () => void connections++ },
  );
  assert.deepEqual(seqs(await take(events, 3)), [4, 5, 10]);
  assert.equal(connections, 3, 'a refused one was never open');
  assert.deepEqual(
    server.seen.map(({ url, headers }) => [url, headers.accept, headers['last-event-id']]),
    [undefined, '3', '5', '5'].map((id) => ['/v1/events?type=node.*', 'text/event-stream', id]),
  );
  assert.deepEqual(pauses, [500, 500, 1000], 'as long as the coordinator asked, longer each time it is in vain');
  assert.equal(breaks.length, 3);
  assert.equal(breaks[0], undefined, 'the first was ended in good order');
});

test('a reset has a type of its own', async () => {
  await using server = await loopbackServer((_, response) => {
    opened(response).write(`id: 40\nevent: reset\ndata: {"oldest":41}\n\n${frame(41)}`);
  });
  const events = await take(clientOf(server).events({ after: 2 }), 2);
  assert.deepEqual(events, [{ type: 'reset', oldest: 41 }, record(41)]);
  assert.equal(server.seen[0]?.url, '/v1/events?after=2');
});

test('a stream that was never open is tried as often as any call', async () => {
  await using server = await loopbackServer((_, response) => problem(response, problemOf('busy')));
  await assert.rejects(take(clientOf(server).events(), 1), { code: 'busy' });
  assert.equal(server.seen.length, 3);
});

test('a stream that was open is reopened, however long it takes, unless it is refused', async () => {
  await using server = await loopbackServer((_, response, number) => {
    if (number === 1) opened(response).end(frame(1));
    else if (number < 20) response.destroy();
    else problem(response, problemOf('token_revoked'));
  });
  const events = clientOf(server).events();
  assert.deepEqual(seqs([(await events.next()).value]), [1]);
  await assert.rejects(events.next(), { code: 'token_revoked' });
  assert.equal(server.seen.length, 20);
});

test('without retries it is one connection, and its end is the end', async () => {
  await using server = await loopbackServer((_, response) => opened(response).end(frame(1)));
  assert.deepEqual(seqs(await collect(clientOf(server).events({}, { retry: false }))), [1]);
  assert.equal(server.seen.length, 1);
});

test('a stream that falls silent is closed and opened again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await using server = await loopbackServer((_, response, number) => opened(response).write(frame(number)));
  const events = clientOf(server).events();
  assert.deepEqual(seqs([(await events.next()).value]), [1]);
  const next = events.next();
  await setImmediate(); // by then the client is waiting, and its limit running
  t.mock.timers.tick(45_000);
  assert.deepEqual(seqs([(await next).value]), [2]);
  await events.return(undefined);
});

test('what is no stream of events is refused', async () => {
  await using page = await loopbackServer((_, response) => response.writeHead(200).end('<p>'));
  await assert.rejects(take(clientOf(page).events(), 1), { code: 'unexpected_answer' });
  await using torn = await loopbackServer((_, response) => opened(response).write('event: a\ndata: {"se\n\n'));
  await assert.rejects(take(clientOf(torn).events(), 1), /event "a" is not JSON/);
});

test('the signal ends it, also during a pause', async () => {
  const ending = new AbortController();
  await using server = await loopbackServer((_, response) => opened(response).write(frame(1)));
  const events = createClient({ url: server.url }).events({}, { signal: ending.signal });
  await events.next();
  const next = assert.rejects(events.next(), /enough/);
  ending.abort(new Error('enough'));
  await next;
});

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { json, loopbackServer, problem, problemOf } from '../test/loopback-server.ts';
import { type Client, createClient } from './client.ts';
import type { ClientOptions } from './wire.ts';

type Failure = (response: ServerResponse) => void;
const busy: Failure = (response) => problem(response, problemOf('busy'), { 'retry-after': '2' });
const broken: Failure = (response) => response.destroy();
const badGateway: Failure = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<p>');
const lost: Failure = (response) => problem(response, problemOf('outcome_unknown'));

/** Fails `times` times, then works; says how often it was asked and how long the client paused in between. */
async function against(
  failure: Failure,
  call: (client: Client) => Promise<unknown>,
  { times = 1, ...options }: { times?: number } & Omit<ClientOptions, 'url'> = {},
) {
  const pauses: number[] = [];
  await using server = await loopbackServer((_, response, number) => {
    if (number <= times) failure(response);
    else json(response, {});
  });
  const clock = { now: () => Date.parse('2026-11-15T09:30:00Z'), sleep: async (ms: number) => void pauses.push(ms) };
  const client = createClient({ url: server.url, clock, random: () => 1, ...options });
  const worked = await call(client).then(
    () => true,
    () => false,
  );
  return { worked, asked: server.seen.length, pauses, seen: server.seen };
}

const get = (client: Client) => client.call('self.whoami');
const post = (client: Client) => client.call('roles.create', { body: { name: 'r', permissions: [] } });
const put = (client: Client) => client.call('roles.replace', { params: { name: 'x' }, body: { permissions: [] } });
const remove = (client: Client) => client.call('tokens.revoke', { params: { id: 'x' } });
const patch = (client: Client) => client.call('settings.update', { body: {} });
const guarded = (client: Client) => client.call('tokens.revoke', { params: { id: 'x' }, if_match: '"1"' });

test('a temporary refusal is tried again whatever the method, after the pause it asks for', async () => {
  for (const call of [get, post, put, remove, patch]) {
    const { worked, asked, pauses } = await against(busy, call);
    assert.deepEqual({ worked, asked, pauses }, { worked: true, asked: 2, pauses: [2000] });
  }
});

test('a broken connection is tried again only where a second request does no harm', async () => {
  for (const call of [get, post, guarded]) {
    assert.deepEqual((await against(broken, call)).asked, 2, call.name);
    assert.deepEqual((await against(badGateway, call)).asked, 2, call.name);
  }
  for (const call of [put, remove, patch]) {
    assert.deepEqual((await against(broken, call)).asked, 1, call.name);
    assert.deepEqual((await against(badGateway, call)).asked, 1, call.name);
  }
});

test('a POST keeps its idempotency key across attempts, and two calls never share one', async () => {
  const twice = async (client: Client) => {
    await post(client);
    await post(client);
  };
  const { seen } = await against(broken, twice, { times: 2 });
  const keys = seen.map((request) => request.headers['idempotency-key']);
  assert.equal(keys.length, 4);
  assert.equal(new Set(keys.slice(0, 3)).size, 1);
  assert.notEqual(keys[3], keys[0]);
  const { seen: chosen } = await against(busy, (client) =>
    client.call('roles.create', { body: { name: 'r', permissions: [] }, idempotency_key: 'mine' }),
  );
  assert.deepEqual(
    chosen.map((request) => request.headers['idempotency-key']),
    ['mine', 'mine'],
  );
});

test('a permanent failure is not retried', async () => {
  assert.equal((await against(lost, get)).asked, 1);
  assert.equal((await against((response) => problem(response, problemOf('not_found')), get)).asked, 1);
});

test('attempts are bounded and the pauses grow, with jitter', async () => {
  const always = { times: 99, retry: { attempts: 5, base_ms: 100, max_ms: 300 } };
  const full = await against(broken, get, always);
  assert.deepEqual(full.pauses, [100, 200, 300, 300]);
  assert.deepEqual({ worked: full.worked, asked: full.asked }, { worked: false, asked: 5 });
  const least = await against(broken, get, { ...always, random: () => 0 });
  assert.deepEqual(least.pauses, [50, 100, 150, 150]);
});

test('retries can be turned off for a client and for a single call', async () => {
  assert.equal((await against(busy, get, { retry: false })).asked, 1);
  assert.equal((await against(busy, (client) => client.call('self.whoami', { retry: false }))).asked, 1);
});

test('a pause that would be too long is left to the caller', async () => {
  const later: Failure = (response) => problem(response, problemOf('rate_limited'), { 'retry-after': '3600' });
  const { asked, pauses } = await against(later, get);
  assert.deepEqual({ asked, pauses }, { asked: 1, pauses: [] });
});

test('a proxy may send Retry-After as a date', async () => {
  const at: Failure = (response) =>
    response.writeHead(503, { 'retry-after': 'Sun, 15 Nov 2026 09:30:04 GMT' }).end('maintenance');
  assert.deepEqual((await against(at, get)).pauses, [4000]);
});

test('nothing is sent after the caller gave up during a pause', async () => {
  const controller = new AbortController();
  await using server = await loopbackServer((_, response) => {
    problem(response, problemOf('rate_limited'), { 'retry-after': '5' });
    response.on('finish', () => controller.abort(new Error('enough')));
  });
  const client = createClient({ url: server.url });
  await assert.rejects(client.call('self.whoami', { signal: controller.signal }), /enough/);
  assert.equal(server.seen.length, 1);
});

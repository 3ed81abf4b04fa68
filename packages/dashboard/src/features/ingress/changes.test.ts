import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween } from './changes.ts';

const before = {
  replicas: 1,
  upstream: { balance: 'round_robin', canary: null, check: { kind: 'tcp', interval_s: 5 } },
  maintenance: { message: 'Back soon', allow: [] },
  redirects: [{ path: '/', to: '/new' }],
};

test('members of what the API merges count one by one', () => {
  const now = { ...before, upstream: { ...before.upstream, check: { kind: 'grpc', interval_s: 5 } } };
  assert.deepEqual(changesBetween(now, before), { upstream: { check: { kind: 'grpc' } } });
});

test('everything else is replaced whole', () => {
  const maintenance = { ...before.maintenance, message: 'Back at ten' };
  assert.deepEqual(changesBetween({ ...before, maintenance }, before), { maintenance });
  assert.deepEqual(changesBetween({ ...before, maintenance: null }, before), { maintenance: null });
  assert.deepEqual(changesBetween({ redirects: [] }, before), { redirects: [] });
});

test('the order in which members are written is no change, and what is not named is none', () => {
  assert.deepEqual(changesBetween({ redirects: [{ to: '/new', path: '/' }] }, before), {});
  assert.deepEqual(changesBetween({ upstream: { check: {} } }, before), {});
  assert.deepEqual(changesBetween({ upstream: 7 }, before), { upstream: 7 });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_TRAFFIC, type Traffic, type TrafficChange } from '@meshwork/contract';
import {
  draftOfOverrides,
  draftOfTraffic,
  isCompleteTraffic,
  newTraffic,
  overridesOf,
  sizeProblem,
  trafficOf,
  withHeader,
} from './traffic-draft.ts';
import { EMPTY } from './upstream-draft.ts';

const traffic: Traffic = {
  networks: { allow: ['10.0.0.0/8'], deny: ['10.9.0.0/16'] },
  limits: { requests: { rate: '20/s', burst: 40 }, connections: 16 },
  request_headers: [{ name: 'X-Tenant', value: 'shop' }],
  response_headers: [{ name: 'Server', value: null }],
  max_body_bytes: 50_000_000,
  connect_timeout_s: 5,
  idle_timeout_s: 60,
  compress: true,
};

test('rules come back from the form as they were', () => {
  assert.deepEqual(trafficOf(draftOfTraffic(traffic)), traffic);
  assert.deepEqual(trafficOf(draftOfTraffic(DEFAULT_TRAFFIC)), DEFAULT_TRAFFIC);
  const byIdentity: Traffic = { ...traffic, limits: { ...traffic.limits, by: 'identity' } };
  assert.deepEqual(trafficOf(draftOfTraffic(byIdentity)), byIdentity);
});

test('a rule that a path begins to override says what it counts by, and is otherwise as by default', () => {
  const limits = { ...DEFAULT_TRAFFIC.limits, by: 'address' };
  assert.deepEqual(trafficOf(newTraffic()), { ...DEFAULT_TRAFFIC, limits });
});

test('a path keeps only what it overrides, also where that is the default', () => {
  const overrides: TrafficChange = { networks: { deny: [] }, limits: { requests: null }, max_body_bytes: null };
  assert.deepEqual(overridesOf(draftOfOverrides(overrides)), overrides);
  assert.deepEqual(overridesOf(draftOfOverrides({})), {});
  assert.deepEqual(overridesOf(draftOfOverrides({ compress: false })), { compress: false });
});

test('rules are complete when every row and number is filled', () => {
  const whole = draftOfTraffic(traffic);
  assert.equal(isCompleteTraffic(whole), true);
  assert.equal(isCompleteTraffic({ ...whole, idle_timeout_s: EMPTY }), false);
  assert.equal(isCompleteTraffic({ ...whole, max_body: 'much' }), false);
  assert.equal(isCompleteTraffic({ ...whole, request_headers: withHeader(whole.request_headers) }), false);
  assert.equal(isCompleteTraffic({ requests: { count: 20, per: 's', burst: EMPTY } }), false);
  assert.equal(isCompleteTraffic({ requests: { count: EMPTY, per: 's', burst: EMPTY } }), true, 'there is no limit');
  assert.equal(isCompleteTraffic({}), true);
});

test('a size that is none is said so', () => {
  assert.equal(sizeProblem('50 MB'), null);
  assert.equal(sizeProblem(' '), null);
  assert.match(sizeProblem('much') ?? '', /“much” is not a size/);
});

test('each new header has a key that no other has', () => {
  const keys = withHeader(withHeader(draftOfTraffic(traffic).request_headers)).map(({ key }) => key);
  assert.equal(new Set(keys).size, 3);
});

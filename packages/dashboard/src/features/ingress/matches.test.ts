import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_UPSTREAM, type Ingress, OPERATIONS } from '@meshwork/contract';
import { matches } from './matches.ts';

const example: Ingress = {
  ...OPERATIONS['ingress.show'].example.answer,
  routes: [{ path: '/api', service: 'git-api', upstream: DEFAULT_UPSTREAM, traffic: {} }],
};

test('an ingress is found by its name, host name, services, state and gateways', () => {
  for (const q of ['', 'GIT', 'example.net', 'git-http', 'git-api']) assert.equal(matches(example, { q }), true, q);
  assert.equal(matches(example, { q: 'wiki' }), false);
  assert.equal(matches({ ...example, port: 5432 }, { q: 'net:5432' }), true);
  assert.equal(matches({ ...example, service: null }, { q: 'git-http' }), false);
  assert.deepEqual(
    ['serving', 'draining'].map((state) => matches(example, { state })),
    [true, false],
  );
  assert.deepEqual(
    ['gw-1', 'gw-2'].map((gateway) => matches(example, { gateway })),
    [true, false],
  );
});

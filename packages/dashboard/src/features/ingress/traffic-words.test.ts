import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_UPSTREAM, type Ingress, OPERATIONS } from '@meshwork/contract';
import { trafficByPath, trafficLines } from './traffic-words.ts';

const example: Ingress = OPERATIONS['ingress.show'].example.answer;

test('the defaults are not worth a word', () => {
  assert.deepEqual(trafficByPath(example), []);
});

test('every rule is in words', () => {
  const lines = trafficLines({
    networks: { allow: ['10.0.0.0/8', '2001:db8::/32'], deny: ['10.9.0.0/16'] },
    limits: { requests: { rate: '1200/m', burst: 40 }, connections: 16 },
    request_headers: [
      { name: 'X-Tenant', value: 'shop' },
      { name: 'Cookie', value: null },
    ],
    response_headers: [{ name: 'Server', value: null }],
    max_body_bytes: 50_000_000,
    connect_timeout_s: 5,
    idle_timeout_s: 7200,
    compress: true,
  });
  assert.deepEqual(Object.fromEntries(lines.map(({ label, text }) => [label, text])), {
    'Allowed networks': '10.0.0.0/8, 2001:db8::/32',
    'Denied networks': '10.9.0.0/16',
    'Request limit': '1,200 per minute per client address, 40 more in a burst',
    'Connection limit': '16 per client address',
    'Request headers': 'Set X-Tenant to “shop”, remove Cookie',
    'Response headers': 'Remove Server',
    'Largest request body': '50 MB',
    'Connect timeout': '5 s',
    'Idle timeout': '2 h',
    Compression: 'On (gzip)',
  });
});

test('a path says what it overrides, also back to the default', () => {
  const { traffic } = example;
  const routes = [
    { path: '/api', service: 'git-api', upstream: DEFAULT_UPSTREAM, traffic: {} },
    {
      ...{ path: '/public', service: 'git-web', upstream: DEFAULT_UPSTREAM },
      traffic: { networks: { allow: [] }, limits: { requests: null }, max_body_bytes: null },
    },
  ];
  const inside = { ...traffic, networks: { allow: ['10.0.0.0/8'], deny: [] } };
  assert.deepEqual(trafficByPath({ traffic: inside, routes }), [
    { path: '/', lines: [{ label: 'Allowed networks', text: '10.0.0.0/8' }] },
    {
      path: '/public',
      lines: [
        { label: 'Allowed networks', text: 'All' },
        { label: 'Request limit', text: 'None' },
        { label: 'Largest request body', text: 'Any size' },
      ],
    },
  ]);
});

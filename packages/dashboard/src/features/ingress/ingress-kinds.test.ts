import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_UPSTREAM, type Ingress, OPERATIONS } from '@meshwork/contract';
import { addressOf, defaultUpstream } from './ingress-kinds.ts';

const example: Ingress = OPERATIONS['ingress.show'].example.answer;

test('an address has the scheme or the port that clients use', () => {
  assert.equal(addressOf(example), 'https://git.example.net');
  assert.equal(
    addressOf({ ...example, tls: { ...example.tls, certificate: 'none', redirect: false } }),
    'http://git.example.net',
  );
  assert.equal(addressOf({ ...example, hostname: '2001:db8::7' }), 'https://[2001:db8::7]');
  assert.equal(addressOf({ ...example, kind: 'tls' }), 'git.example.net:443');
  assert.equal(addressOf({ ...example, kind: 'tcp', port: 5432 }), 'git.example.net:5432');
  assert.equal(addressOf({ ...example, kind: 'udp', port: 53, hostname: '2001:db8::7' }), '[2001:db8::7]:53');
});

test('gateways speak to a service as the kind demands', () => {
  assert.equal(defaultUpstream('http'), DEFAULT_UPSTREAM);
  const spoken = (['tls', 'tcp', 'udp'] as const).map((kind) => {
    const { protocol, check } = defaultUpstream(kind);
    return [protocol, check.kind];
  });
  assert.deepEqual(spoken, [
    ['tcp', 'tcp'],
    ['tcp', 'tcp'],
    ['udp', 'none'],
  ]);
});

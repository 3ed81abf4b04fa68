import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DepartedPeers } from './departed-peers.ts';
import type { EnginePeer, Reading } from './driver.ts';

const NOW = 1_800_000_000_000;

function reading(...peers: readonly (readonly [key: string, changes?: Partial<EnginePeer>])[]): Reading {
  const rest = { rx_bytes: 0, tx_bytes: 0, keepalive_s: 25, preshared: false };
  const seen = peers.map(([key, changes]): [string, EnginePeer] => [
    key,
    { key, networks: [`${key}/32`], endpoint: '198.51.100.9:9', handshake_ms: NOW - 1000, ...rest, ...changes },
  ]);
  return { public_key: null, port: 1, mark: 0, peers: new Map(seen) };
}

const keysOf = (departed: DepartedPeers) => Array.from(departed.all(), ({ key }) => key);

test('remembers where a departed peer was seen, until it is back or was away for long', () => {
  const departed = new DepartedPeers();
  departed.see(reading(['a'], ['b'], ['c']), NOW);
  departed.see(reading(['b']), NOW + 1);
  assert.deepEqual(keysOf(departed), ['a', 'c']);
  departed.see(reading(['a'], ['b'], ['c', { handshake_ms: null }]), NOW + 2);
  assert.deepEqual(keysOf(departed), ['c'], 'it is back, and has not answered yet');
  departed.see(reading(), NOW + 300_000);
  assert.deepEqual(keysOf(departed), ['c', 'a', 'b']);
  departed.see(reading(), NOW + 600_002);
  assert.deepEqual(keysOf(departed), ['a', 'b']);
  departed.see(reading(), NOW - 86_400_000);
  assert.deepEqual(keysOf(departed), [], 'a clock that was set back keeps no peer for longer');
});

test('forgets a peer that was seen nowhere or never answered', () => {
  const departed = new DepartedPeers();
  departed.see(reading(['nowhere', { endpoint: null }], ['silent', { handshake_ms: null }]), NOW);
  departed.see(reading(), NOW);
  assert.deepEqual(keysOf(departed), []);
});

test('there are never more of them than it takes, and those go first that went first', () => {
  const departed = new DepartedPeers();
  const keys = Array.from({ length: 10_003 }, (_, index): [string] => [`k${index}`]);
  departed.see(reading(...keys), NOW);
  departed.see(reading(...keys.slice(1)), NOW + 1);
  departed.see(reading(), NOW + 2);
  const kept = keysOf(departed);
  assert.deepEqual([kept.length, kept[0]], [10_000, 'k3']);
});

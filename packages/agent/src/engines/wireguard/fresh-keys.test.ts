import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EnginePeer, Reading } from './driver.ts';
import { FreshKeys } from './fresh-keys.ts';

const FROM_MS = 1_700_000_000_000;
/** As `data-plane/watch.ts` looks after a change, and then every ten seconds. */
const LOOKS_MS = [250, 1000, 3000, 13_000, 23_000];

function reading(own: string, peers: readonly (readonly [key: string, handshake_ms: number | null])[]): Reading {
  const rest = { networks: [], endpoint: null, rx_bytes: 0, tx_bytes: 0, keepalive_s: 25, preshared: false };
  const seen = peers.map(([key, handshake_ms]): [string, EnginePeer] => [key, { key, handshake_ms, ...rest }]);
  return { public_key: own, port: 51820, mark: 0, peers: new Map(seen) };
}

/** When a peer that never answers is begun anew. */
function times(fresh: FreshKeys, own: string, key: string): number[] {
  const begun: number[] = [];
  for (const look_ms of LOOKS_MS) {
    const due = fresh.due(reading(own, [[key, null]]), FROM_MS + look_ms);
    fresh.begunAnew(
      due.map((one) => one.key),
      FROM_MS + look_ms,
    );
    if (due.length > 0) begun.push(look_ms);
  }
  return begun;
}

test('a peer that does not answer under its new key is begun anew a few times, and then left to WireGuard', () => {
  const fresh = new FreshKeys();
  fresh.renewed(['b'], FROM_MS);
  assert.deepEqual(fresh.due(reading('a', [['b', null]]), FROM_MS + 100), [], 'it may be about to answer');
  assert.deepEqual(times(fresh, 'a', 'b'), [250, 1000, 3000]);
  assert.equal(fresh.has('b'), false);
});

test('of two nodes that both have a new key, never both begin anew', () => {
  const begun = (['a', 'b'] as const).map((own) => {
    const fresh = new FreshKeys();
    fresh.ownChanged(FROM_MS - 50);
    const key = own === 'a' ? 'b' : 'a';
    fresh.renewed([key], FROM_MS);
    return times(fresh, own, key);
  });
  assert.deepEqual(begun, [[250, 3000], [1000]]);
});

test('of two nodes that never met, never both begin anew', () => {
  const begun = (['a', 'b'] as const).map((own) => {
    const fresh = new FreshKeys();
    const key = own === 'a' ? 'b' : 'a';
    fresh.met([key], FROM_MS);
    return times(fresh, own, key);
  });
  assert.deepEqual(begun, [[250, 3000], [1000]]);
});

test('a node that did not use its turn leaves the next one to the other', () => {
  const fresh = new FreshKeys();
  fresh.met(['b'], FROM_MS);
  const isDue = (after_ms: number) => fresh.due(reading('a', [['b', null]]), FROM_MS + after_ms).length > 0;
  assert.deepEqual([250, 599, 600, 1000, 2199, 2200].map(isDue), [true, true, false, false, false, true]);
});

test('a new peer that never sent a packet is tried at another endpoint, one that did stays where it is', () => {
  const fresh = new FreshKeys();
  fresh.met(['heard', 'silent'], FROM_MS);
  const seen = reading('a', [
    ['heard', null],
    ['silent', null],
  ]);
  const heard = seen.peers.get('heard') ?? assert.fail();
  const peers = new Map([...seen.peers, ['heard', { ...heard, rx_bytes: 148 }]]);
  assert.deepEqual(fresh.due({ ...seen, peers }, FROM_MS + 250), [
    { key: 'heard', elsewhere: false },
    { key: 'silent', elsewhere: true },
  ]);
});

test('many new peers at once are left to WireGuard', () => {
  const fresh = new FreshKeys();
  fresh.met(
    Array.from({ length: 65 }, (_, index) => `peer ${index}`),
    FROM_MS,
  );
  assert.deepEqual(times(fresh, 'a', 'peer 7'), []);
});

test('leaves a peer alone that has answered, is gone, or was never announced', () => {
  const fresh = new FreshKeys();
  fresh.renewed(['answered', 'gone', 'silent'], FROM_MS);
  const peers = reading('a', [
    ['answered', FROM_MS + 5],
    ['silent', null],
    ['stranger', null],
  ]);
  assert.deepEqual(fresh.due(peers, FROM_MS + 250), [{ key: 'silent', elsewhere: false }]);
  assert.deepEqual([fresh.has('answered'), fresh.has('gone')], [false, false]);
  fresh.keepOnly(new Map());
  assert.equal(fresh.has('silent'), false);
});

test('after a clock was set back it is left to WireGuard, and not waited for', () => {
  const fresh = new FreshKeys();
  fresh.renewed(['b'], FROM_MS);
  assert.deepEqual(fresh.due(reading('a', [['b', null]]), FROM_MS - 86_400_000), []);
  assert.equal(fresh.has('b'), false);
});

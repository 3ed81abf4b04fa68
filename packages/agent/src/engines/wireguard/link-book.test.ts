import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LinkBook } from './link-book.ts';
import type { SeenPeer, SeenTunnel } from './tunnel.ts';

const NOW = Date.UTC(2026, 10, 15, 12);
const KEYS = [['node_a', 'key-a']] as const;

function seen(peer: Partial<SeenPeer>): SeenTunnel {
  const whole = { key: 'key-a', networks: [], endpoint: null, handshake_ms: null, rx_bytes: 0, tx_bytes: 0, ...peer };
  return { public_key: null, port: 51_820, mark: 0, peers: new Map([[whole.key, whole]]) };
}

describe('a link', () => {
  it('is reported when it is first seen, and again when its handshake, endpoint or path changes', () => {
    const book = new LinkBook(() => NOW);
    book.see(KEYS, seen({}));
    assert.deepEqual(book.take(false), [
      { peer: 'node_a', path: 'none', endpoint: null, handshake_at: null, rx_bytes: 0, tx_bytes: 0 },
    ]);
    book.see(KEYS, seen({}));
    assert.deepEqual(book.take(false), []);
    book.see(KEYS, seen({ handshake_ms: NOW - 1000, endpoint: '192.0.2.7:51820' }));
    assert.deepEqual(
      book.take(false).map(({ path, handshake_at }) => [path, handshake_at]),
      [['direct', '2026-11-15T11:59:59Z']],
    );
  });

  it('is not reported again when only its byte counters changed', () => {
    const book = new LinkBook(() => NOW);
    book.see(KEYS, seen({ rx_bytes: 1 }));
    book.take(false);
    book.see(KEYS, seen({ rx_bytes: 2 }));
    assert.deepEqual(book.take(false), []);
    assert.equal(book.take(true)[0]?.rx_bytes, 2);
  });

  it('comes with its handshake and goes when the handshake is too old for WireGuard itself', () => {
    let now = NOW;
    const book = new LinkBook(() => now);
    assert.equal(book.see(KEYS, seen({})), false);
    assert.equal(book.see(KEYS, seen({ handshake_ms: NOW })), true);
    now += 179_000;
    assert.equal(book.see(KEYS, seen({ handshake_ms: NOW })), false);
    now += 1000;
    assert.equal(book.see(KEYS, seen({ handshake_ms: NOW })), true);
    assert.equal(book.take(true)[0]?.path, 'none');
  });

  it('goes by time alone, also of a peer that is seen as the very same', () => {
    let now = NOW;
    const book = new LinkBook(() => now);
    const same = seen({ handshake_ms: NOW });
    assert.equal(book.see(KEYS, same), true);
    assert.equal(book.see(KEYS, same), false);
    assert.equal(book.take(false).length, 1);
    now += 180_000;
    assert.equal(book.see(KEYS, same), true);
    assert.deepEqual(
      book.take(false).map(({ path }) => path),
      ['none'],
    );
    assert.deepEqual(
      book.all.map(({ path }) => path),
      ['none'],
    );
  });

  it('does not live on because the clock was set back', () => {
    const book = new LinkBook(() => NOW - 86_400_000);
    book.see(KEYS, seen({ handshake_ms: NOW }));
    assert.equal(book.take(true)[0]?.path, 'none');
  });

  it('of a peer that WireGuard does not have is none', () => {
    const book = new LinkBook(() => NOW);
    book.see([['node_b', 'key-b']], seen({ handshake_ms: NOW }));
    assert.deepEqual(book.take(true), []);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { newWireguardKey } from '../../identity/keys.ts';
import { ReplyReader } from './uapi-text.ts';

const KEYS = Array.from({ length: 4 }, () => newWireguardKey().public);

interface Written {
  readonly key: number;
  readonly rx: number;
  readonly handshake: number;
}

function replyOf(peers: readonly Written[]): string {
  const blocks = peers.map(
    ({ key, rx, handshake }) => `public_key=${hexOf(key)}
preshared_key=${'0'.repeat(64)}
endpoint=192.0.2.${key}:51820
last_handshake_time_sec=${handshake}
last_handshake_time_nsec=0
rx_bytes=${rx}
allowed_ip=100.64.0.${key}/32
`,
  );
  return `listen_port=51820\nfwmark=7\n${blocks.join('')}errno=0\n\n`;
}

function hexOf(key: number): string {
  return Buffer.from(KEYS[key] ?? '', 'base64').toString('hex');
}

describe('a reply of wireguard-go', () => {
  const written = fc.uniqueArray(fc.record({ key: fc.nat(KEYS.length - 1), rx: fc.nat(2), handshake: fc.nat(2) }), {
    selector: ({ key }) => key,
  });

  it('means the same, whatever was read before it', () => {
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 6 }), (replies) => {
        const reader = new ReplyReader();
        for (const peers of replies) {
          const reading = reader.read(replyOf(peers));
          assert.deepEqual(reading, new ReplyReader().read(replyOf(peers)));
          assert.deepEqual([reading.port, reading.mark], [51_820, 7]);
          assert.deepEqual(
            [...reading.peers.values()].map(({ key, rx_bytes }) => [key, rx_bytes]),
            peers.map(({ key, rx }) => [KEYS[key], rx]),
          );
        }
      }),
    );
  });

  it('has the same object for a peer whose lines did not change', () => {
    const reader = new ReplyReader();
    const [a, b] = [KEYS[0] ?? '', KEYS[1] ?? ''];
    const first = reader.read(
      replyOf([
        { key: 0, rx: 1, handshake: 0 },
        { key: 1, rx: 1, handshake: 0 },
        { key: 2, rx: 0, handshake: 0 },
      ]),
    );
    const second = reader.read(
      replyOf([
        { key: 0, rx: 1, handshake: 0 },
        { key: 1, rx: 2, handshake: 0 },
        { key: 2, rx: 0, handshake: 0 },
      ]),
    );
    assert.equal(second.peers.get(a), first.peers.get(a));
    assert.notEqual(second.peers.get(b), first.peers.get(b));
    assert.equal(second.peers.get(b)?.rx_bytes, 2);
  });

  it('is read for some peers alone, and the others are remembered all the same', () => {
    const reader = new ReplyReader();
    const text = replyOf([
      { key: 0, rx: 1, handshake: 5 },
      { key: 1, rx: 1, handshake: 5 },
    ]);
    const all = reader.read(text);
    const some = reader.read(text, new Set([KEYS[1] ?? '', KEYS[3] ?? '']));
    assert.deepEqual([...some.peers.keys()], [KEYS[1]]);
    assert.equal(some.port, 51_820);
    assert.deepEqual(
      [...reader.read(text).peers.values()].map((peer) => all.peers.get(peer.key) === peer),
      [true, true],
    );
  });
});

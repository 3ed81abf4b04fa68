import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TurnLog } from './turn-log.ts';

/** As coturn 4.6.1 writes it. */
const SAID = `1: : session 000000000000000001: realm <mesh> user <>: incoming packet message processed, error 401: Unauthorized
1: : IPv4. Local relay addr: 127.0.0.1:65396
1: : session 000000000000000001: new, realm=<mesh>, username=<1794949989:node_abc>, lifetime=600
1: : session 000000000000000001: realm <mesh> user <1794949989:node_abc>: incoming packet ALLOCATE processed, success
1: : session 000000000000000001: usage: realm=<mesh>, username=<1794949989:node_abc>, rp=1031, rb=1065264, sp=1020, sb=1086440
1: : session 000000000000000001: peer usage: realm=<mesh>, username=<1794949989:node_abc>, rp=1017, rb=1017000, sp=1028, sb=1028000
2: : ERROR: A peer IP 10.1.2.3 denied in the range: ::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
2: : session 000000000000000001: realm <mesh> user <1794949989:node_abc>: incoming packet CREATE_PERMISSION processed, error 403: Forbidden IP
2: : session 000000000000000001: realm <mesh> user <1794949989:node_abc>: incoming packet message processed, error 403: Forbidden IP
2: : ERROR: check_stun_auth: Cannot find credentials of user <1794949989:node_abc>
2: : session 001000000000000001: realm <mesh> user <1794949989:node_abc>: incoming packet message processed, error 401: Unauthorized
2: : session 001000000000000003: realm <mesh> user <1794949989:node_abc>: incoming packet message processed, error 486: Allocation Quota Reached
`;
const COUNTED = {
  sessions: 1,
  refused: 1,
  denied: 1,
  over_quota: 1,
  rx_bytes: 2_082_264,
  tx_bytes: 2_114_440,
  rx_packets: 2048,
  tx_packets: 2048,
};

describe('what coturn says', () => {
  it('is counted', () => {
    const log = new TurnLog();
    log.take(SAID);
    assert.deepEqual(log.counts, COUNTED);
    assert.equal(log.taken, undefined);
  });

  it('is counted the same in pieces of any length', () => {
    for (const length of [1, 7, 100, 1000]) {
      const log = new TurnLog();
      for (let at = 0; at < SAID.length; at += length) log.take(SAID.slice(at, at + length));
      assert.deepEqual(log.counts, COUNTED, `${length} at a time`);
    }
  });

  it('says which address another program has, and is forgotten when another process begins', () => {
    const log = new TurnLog();
    log.take('0: : Cannot bind DTLS/UDP listener socket to addr 203.0.113.9:3478\n0: : and on\n');
    assert.equal(log.taken, '203.0.113.9:3478');
    assert.equal(log.complaint, 'Cannot bind DTLS/UDP listener socket to addr 203.0.113.9:3478');
    log.begin();
    assert.deepEqual([log.taken, log.complaint], [undefined, undefined]);
  });

  it('is kept within bounds, whatever it is', () => {
    const log = new TurnLog();
    for (let piece = 0; piece < 100; piece++) log.take('x'.repeat(100_000));
    log.take(`\n${SAID}`);
    assert.deepEqual(log.counts, COUNTED);
  });
});

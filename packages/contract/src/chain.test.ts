import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHAIN_START, chainHash } from './chain.ts';

const link = { previous: CHAIN_START, seq: 1, revision: 7, body: '{"action":"tokens.create"}' };

// printf '%s\n1\n7\n{"action":"tokens.create"}' "$(printf '0%.0s' {1..64})" | sha256sum
test('the hash of an entry can be recomputed with sha256sum', () => {
  assert.equal(chainHash(link), 'dd9ac6c42fa2b0bd59f033f6a7434491230e4cec261931063eeaa9a8f6c2b7df');
});

test('a change of any part of an entry changes its hash', () => {
  const others = [
    { ...link, previous: 'f'.repeat(64) },
    { ...link, seq: 2 },
    { ...link, revision: 8 },
    { ...link, body: '{"action":"tokens.revoke"}' },
  ];
  assert.equal(new Set([link, ...others].map(chainHash)).size, 5);
});

test('a digit cannot move from one part of an entry to the next', () => {
  assert.notEqual(chainHash({ ...link, seq: 11, revision: 1 }), chainHash({ ...link, seq: 1, revision: 11 }));
});

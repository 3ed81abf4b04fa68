import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newWireguardKey } from '../../identity/keys.ts';
import { pairKey } from './pair-key.ts';

test('both ends make the same key, and no third does', () => {
  const [one, other, third] = [newWireguardKey(), newWireguardKey(), newWireguardKey()];
  const key = pairKey(one.private, one.public, other.public);
  assert.match(key, /^[0-9a-f]{64}$/);
  assert.equal(pairKey(other.private, other.public, one.public), key);
  assert.notEqual(pairKey(one.private, one.public, third.public), key);
  assert.notEqual(pairKey(third.private, one.public, other.public), key);
});

test('a key that is none is refused, without being repeated', () => {
  const { private: secret, public: own } = newWireguardKey();
  assert.throws(() => pairKey(secret, own, 'c2hvcnQ='), /32 bytes in base64, not 5/);
});

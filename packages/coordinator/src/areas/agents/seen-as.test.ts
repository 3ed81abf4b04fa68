import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seenAs } from './seen-as.ts';

test('an address is sent as a node can use it', () => {
  const said = (address: string) => [address, seenAs(address)];
  for (const plain of ['192.0.2.7', '2001:db8::7', '::1']) assert.deepEqual(said(plain), [plain, plain]);
  assert.equal(seenAs('::ffff:192.0.2.7'), '192.0.2.7');
  assert.equal(seenAs('::FFFF:192.0.2.7'), '192.0.2.7');
  assert.equal(seenAs('fe80::7%eth0'), 'fe80::7');
  assert.equal(seenAs(''), null);
});

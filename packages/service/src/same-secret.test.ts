import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameBytes, isSameSecret } from './same-secret.ts';

const ODD = [
  '',
  ' ',
  'x',
  '１２３４５６',
  '12345é',
  '\u{1F511}',
  '\uD800',
  '\uDC00\uD800',
  '\0',
  'x'.repeat(1_000_000),
];

test('a secret is the same as itself alone, whatever is compared with it', () => {
  for (const right of ['123456', ...ODD]) {
    assert.equal(isSameSecret(right, right), true, right.slice(0, 20));
    for (const given of ODD) {
      if (given === right || isAlike(given, right)) continue;
      assert.equal(isSameSecret(given, right), false, `${given.slice(0, 20)} is not ${right.slice(0, 20)}`);
    }
  }
});

test('text and its bytes are one secret', () => {
  assert.equal(isSameSecret(Buffer.from('ключ'), 'ключ'), true);
  assert.equal(isSameSecret(Buffer.from('ключ').subarray(1), 'ключ'), false);
});

test('bytes of unequal length differ, and nothing is thrown', () => {
  const right = Buffer.from('a digest');
  assert.equal(isSameBytes(Buffer.from('a digest'), right), true);
  for (const given of ['', 'a diges', 'a digest!', 'a digesT'])
    assert.equal(isSameBytes(Buffer.from(given), right), false);
});

/** Halves of surrogate pairs have no bytes of their own. No secret of ours contains one. */
function isAlike(one: string, other: string): boolean {
  return Buffer.from(one).equals(Buffer.from(other));
}

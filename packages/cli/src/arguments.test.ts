import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, pageLimit, seconds } from './arguments.ts';

test('an id that cannot be one never reaches a coordinator', () => {
  const tokenId = idOf('token');
  assert.equal(tokenId('token_01jcqv5s3ee3xv9k7d0w8m2b4n'), 'token_01jcqv5s3ee3xv9k7d0w8m2b4n');
  for (const text of ['..', '', 'token_', 'audit_01jcqv5s3ee3xv9k7d0w8m2b4n', 'mesh_01jcqv5s3ee3xv9k7d0w8m2b4n_x']) {
    assert.throws(() => tokenId(text), /An id looks like token_/, text);
  }
});

test('a limit is a whole number that a page can have', () => {
  assert.equal(pageLimit('200'), 200);
  for (const text of ['0', '201', '1.5', '1e2', '-1', 'all', '']) assert.throws(() => pageLimit(text), /from 1 to 200/);
});

test('a deadline is a duration in seconds, and may be none', () => {
  assert.equal(seconds('1h'), 3600);
  assert.equal(seconds('0'), 0);
  assert.throws(() => seconds('60'), /Give a duration/);
});

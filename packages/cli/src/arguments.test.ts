import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, idOf, pageLimit, seconds } from './arguments.ts';

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

test('an amount of bytes has a unit or is a number of them', () => {
  assert.deepEqual(
    ['0', '512', '50MB', '50 mb', '1GiB', '1.5KiB', '1.001kb', '2k'].map(bytes),
    [0, 512, 50_000_000, 50_000_000, 1_073_741_824, 1536, 1001, 2000],
  );
  for (const text of ['', '-1', 'MB', '5XB', '1e3', '9999999999999TB']) {
    assert.throws(() => bytes(text), /Give an amount such as 50MB/, text);
  }
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { backOff } from './back-off.ts';

it('doubles the pause with each failure, up to the longest', () => {
  const pauses = [0, 1, 2, 3, 4, 1_000_000].map((failures) => backOff(250, failures, 3000));
  assert.deepEqual(pauses, [250, 500, 1000, 2000, 3000, 3000]);
  assert.equal(backOff(0, 5, 3000), 0);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TestClock } from './test-clock.ts';

it('goes by whole milliseconds when it is held still, however it is moved', () => {
  for (let count = 0; count < 100; count++) {
    const clock = TestClock.still();
    clock.advance(1 / 3);
    assert.ok(Number.isInteger(clock.monotonic()));
    assert.ok(Number.isInteger(clock.now()));
  }
});

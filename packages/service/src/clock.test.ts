import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestClock } from '../test/test-clock.ts';
import { systemClock } from './clock.ts';

describe('clocks go by whole milliseconds, so that sums of their times are exact', () => {
  it('the one of the system', () => {
    for (let count = 0; count < 100; count++) assert.ok(Number.isInteger(systemClock.monotonic()));
  });

  it('the one that a test holds still, however it is moved', () => {
    for (let count = 0; count < 100; count++) {
      const clock = TestClock.still();
      clock.advance(1 / 3);
      assert.ok(Number.isInteger(clock.monotonic()));
      assert.ok(Number.isInteger(clock.now()));
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestClock } from '@meshwork/service/testing';
import { Attempts, prefixHash } from './attempts.ts';

const HOME = '192.0.2.7';
const home = [prefixHash('ada', HOME)];

describe('attempts to sign in', () => {
  const refused = { code: 'rate_limited' };

  it('from many unknown prefixes slow down other unknown prefixes, and not those with an earlier sign-in', () => {
    const attempts = new Attempts(TestClock.still());
    for (let count = 0; count < 20; count++) attempts.begin('ada', `198.51.100.${count}`, home);
    assert.throws(() => attempts.begin('ada', '203.0.113.1', home), refused);
    attempts.begin('ada', HOME, home);
    attempts.begin('bob', '203.0.113.1', []);
  });

  it('wait at most a quarter of an hour, however many there were', () => {
    const clock = TestClock.still();
    const attempts = new Attempts(clock);
    for (let count = 0; count < 100; count++) {
      clock.advance(15 * 60);
      attempts.begin('ada', HOME, []);
    }
    clock.advance(15 * 60);
    attempts.begin('ada', HOME, []);
  });

  it('are forgotten after an hour without a failure', () => {
    const clock = TestClock.still();
    const attempts = new Attempts(clock);
    for (let count = 0; count < 5; count++) attempts.begin('ada', HOME, home);
    assert.throws(() => attempts.begin('ada', HOME, home), refused);
    clock.advance(3601);
    for (let count = 0; count < 5; count++) attempts.begin('ada', HOME, home);
  });

  it('that were withdrawn leave the wait as it was, so that the code can follow the password at once', () => {
    const clock = TestClock.still();
    const attempts = new Attempts(clock);
    for (let count = 0; count < 14; count++) {
      attempts.begin('ada', HOME, home);
      clock.advance(15 * 60);
    }
    attempts.begin('ada', HOME, home).withdraw();
    const { withdraw } = attempts.begin('ada', HOME, home);
    assert.throws(() => attempts.begin('ada', HOME, home), refused);
    clock.advance(15 * 60);
    attempts.begin('ada', HOME, home);
    // It comes late: what has failed since goes on counting.
    withdraw();
    withdraw();
    assert.throws(() => attempts.begin('ada', HOME, home), refused);
  });

  it('that were withdrawn count for nothing', () => {
    const attempts = new Attempts(TestClock.still());
    for (let count = 0; count < 50; count++) attempts.begin('ada', HOME, []).withdraw();
    attempts.begin('ada', HOME, []);
  });

  it('from IPv6 are counted by network', () => {
    const attempts = new Attempts(TestClock.still());
    for (let count = 0; count < 5; count++) attempts.begin('ada', `2001:db8::${count + 1}`, []);
    assert.throws(() => attempts.begin('ada', '2001:db8::ffff', []), refused);
  });

  it('take no more memory than they may', () => {
    const attempts = new Attempts(TestClock.still());
    for (let count = 0; count < 50_000; count++)
      attempts.begin(`name ${count}`, HOME, [prefixHash(`name ${count}`, HOME)]);
    for (let count = 0; count < 5; count++) attempts.begin('ada', HOME, home);
    assert.throws(() => attempts.begin('ada', HOME, home), refused);
  });
});

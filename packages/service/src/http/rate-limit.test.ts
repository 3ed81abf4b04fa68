import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestClock } from '../../test/test-clock.ts';
import { addressPrefixOf, RateLimit } from './rate-limit.ts';

describe('the rate limit', () => {
  it('lets a burst through at once, then so many a second', () => {
    const clock = TestClock.still(); // on one that goes on, a machine that is busy for a moment would let more through
    const limit = new RateLimit(clock);
    const take = () => limit.take('key', { rate_per_s: 2, burst: 3 });
    for (let count = 0; count < 3; count++) take();
    assert.throws(take, { code: 'rate_limited', retry_after_s: 1 });
    clock.advance(1);
    take();
    take();
    assert.throws(take, { code: 'rate_limited' });
    limit.take('another', { rate_per_s: 2, burst: 3 });
  });

  it('has refilled one at the very millisecond, also when it was asked in between', () => {
    const clock = TestClock.still();
    const limit = new RateLimit(clock);
    const take = () => limit.take('key', { rate_per_s: 1, burst: 1 });
    take();
    for (let count = 0; count < 9; count++) {
      clock.advance(0.1);
      assert.throws(take, { code: 'rate_limited' });
    }
    clock.advance(0.1);
    take();
  });

  it('counts an IPv6 network of 64 bits as one, however it is written', () => {
    const networks = {
      '127.0.0.1': '127.0.0.1',
      '::ffff:10.0.0.1': '::ffff:10.0.0.1',
      '::1': '0:0:0:0',
      '2001:db8::': '2001:db8:0:0',
      '2001:db8::1:2:3:4:5': '2001:db8:0:1',
      '2001::5:1:2:3:4': '2001:0:0:5',
      '2001:0:0:5::1': '2001:0:0:5',
      '2001:db8:1:2:3:4:5:6': '2001:db8:1:2',
      'fe80::1%eth0': 'fe80:0:0:0',
    };
    for (const [address, network] of Object.entries(networks)) assert.equal(addressPrefixOf(address), network, address);
  });
});

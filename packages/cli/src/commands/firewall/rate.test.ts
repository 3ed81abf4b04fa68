import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rate, rateText } from './rate.ts';

test('a rate is a number of flows in a time, with a burst or without', () => {
  assert.deepEqual(rate('10/minute'), { count: 10, per: 'minute' });
  assert.deepEqual(rate('1/second:20'), { count: 1, per: 'second', burst: 20 });
  for (const text of ['10/minute', '100000/hour', '1/second:20']) assert.equal(rateText(rate(text)), text);
});

test('what is no rate is refused with an example', () => {
  for (const text of ['', '10', '10/', '10/day', 'ten/minute', '10/minute:', '-1/hour', '10/minute:x', '1.5/hour']) {
    assert.throws(() => rate(text), /10\/minute/, text);
  }
});

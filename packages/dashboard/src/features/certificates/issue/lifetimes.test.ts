import assert from 'node:assert/strict';
import { it } from 'node:test';
import { LONGEST, lifetimesWithin, secondsOf } from './lifetimes.ts';

it('offers lifetimes within the settings, and the longest of them unless another is chosen', () => {
  const offered = lifetimesWithin(30 * 86_400);
  assert.deepEqual(
    offered.map(({ label }) => label),
    ['Longest allowed (30 d)', '7 days', '1 day', '1 hour'],
  );
  assert.equal(lifetimesWithin(undefined).length, 7);
  assert.equal(secondsOf('7d'), 604_800);
  assert.equal(secondsOf(LONGEST), undefined);
});

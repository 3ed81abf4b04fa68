import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closestLifetime, expiryOf, lifetimesWithin } from './lifetimes.ts';

describe('how long a token is made for', () => {
  it('is at most what the settings allow', () => {
    assert.equal(lifetimesWithin(30).at(-1)?.value, '30d');
    assert.equal(closestLifetime('90d', lifetimesWithin(30)), '30d');
    assert.equal(closestLifetime('1d', lifetimesWithin(30)), '1d');
    assert.equal(closestLifetime('90d', lifetimesWithin(undefined)), '90d');
  });

  it('is counted from now', () => {
    assert.equal(expiryOf('1d', Date.parse('2026-11-15T09:30:00Z')), '2026-11-16T09:30:00Z');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleAuthority } from '@meshwork/contract';
import { daysLeft, healthOf, percentUsed } from './authority-health.ts';

const life = { not_before: '2026-01-01T00:00:00Z', not_after: '2026-04-11T00:00:00Z' };
const authority = { ...exampleAuthority, ...life, revocation_list: null };
const day = (count: number) => Date.parse(life.not_before) + count * 24 * 3_600_000;

describe('the health of an authority', () => {
  it('says how much of its lifetime is used, and how much is left', () => {
    assert.equal(percentUsed(life, day(-1)), 0);
    assert.equal(percentUsed(life, day(25.5)), 25);
    assert.equal(percentUsed(life, day(101)), 100);
    assert.equal(daysLeft(life, day(25.5)), 74);
    assert.equal(daysLeft(life, day(101)), 0);
  });

  it('warns of its last tenth', () => {
    assert.equal(healthOf(authority, day(89)), 'healthy');
    assert.equal(healthOf(authority, day(90)), 'ending');
    assert.equal(healthOf(authority, day(100)), 'expired');
  });

  it('warns of a revocation list that is no longer good', () => {
    const revocation_list = { number: 1, entries: 0, made_at: life.not_before, next_at: '2026-01-08T00:00:00Z' };
    assert.equal(healthOf({ ...authority, revocation_list }, day(6)), 'healthy');
    assert.equal(healthOf({ ...authority, revocation_list }, day(7)), 'list_overdue');
  });
});

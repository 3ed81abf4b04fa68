import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agoText } from './ago.ts';

const now = Date.parse('2026-11-15T12:00:00Z');
const said = (at: string) => agoText(at, now);

test('what has just been reads so, whichever clock is ahead', () => {
  assert.equal(said('2026-11-15T11:59:57Z'), 'just now');
  assert.equal(said('2026-11-15T12:00:03Z'), 'just now');
});

test('the largest unit that fits is said, and never rounded up', () => {
  assert.equal(said('2026-11-15T11:59:01Z'), '59 s ago');
  assert.equal(said('2026-11-15T11:55:01Z'), '4 min ago');
  assert.equal(said('2026-11-15T01:30:00Z'), '10 h ago');
  assert.equal(said('2026-11-01T12:00:00Z'), '14 d ago');
});

test('what is yet to come is said as well', () => {
  assert.equal(said('2026-11-15T13:30:00Z'), 'in 1 h');
});

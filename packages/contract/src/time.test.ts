import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Check } from 'typebox/value';
import { utc } from './time.ts';
import { Timestamp } from './timestamp.ts';

test('a moment is written in UTC, to the second, with a Z', () => {
  assert.equal(utc(Date.UTC(2027, 0, 31)), '2027-01-31T00:00:00Z');
  assert.equal(utc(0), '1970-01-01T00:00:00Z');
  assert.equal(utc(Date.parse('2026-11-15T10:30:00+01:00')), '2026-11-15T09:30:00Z');
});

test('what is within a second is cut off, never rounded up into the future', () => {
  assert.equal(utc(Date.UTC(2026, 11, 31, 23, 59, 59, 999)), '2026-12-31T23:59:59Z');
});

test('every moment that is written can be sent back, and means the same second', () => {
  const moment = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31, 23, 59, 59) });
  fc.assert(
    fc.property(moment, (ms) => {
      assert.ok(Check(Timestamp('any'), utc(ms)), utc(ms));
      assert.equal(Date.parse(utc(ms)), Math.floor(ms / 1000) * 1000);
    }),
  );
});

test('a request may name a moment with any offset, but must name one', () => {
  const accepts = (text: string) => Check(Timestamp('any'), text);
  assert.ok(accepts('2026-11-15T10:30:00+01:00'));
  assert.ok(accepts('2026-11-15T10:30:00.125Z'));
  for (const text of ['', 'tomorrow', '2026-11-15', '2026-11-15T10:30:00', '2026-13-15T10:30:00Z']) {
    assert.equal(accepts(text), false, text);
  }
});

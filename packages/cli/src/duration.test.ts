import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromNow, parseDuration } from './duration.ts';
import { moment } from './moment.ts';

test('durations are read as people write them', () => {
  const hour = 3_600_000;
  const known = { '30d': 720 * hour, '12h': 12 * hour, '1h30m': 1.5 * hour, '2w': 336 * hour, '45s': 45_000, '0': 0 };
  for (const [text, ms] of Object.entries(known)) assert.equal(parseDuration(text), ms, text);
  for (const text of ['', '30', 'd', '-1h', '1.5h', '1h 30m', '30m1h', '1y']) {
    assert.equal(parseDuration(text), undefined, text);
  }
});

const NOW = Date.parse('2026-11-15T10:00:00Z');

test('a moment is a timestamp with its zone, a day, or a duration from now', () => {
  const ahead = moment('ahead', () => NOW);
  assert.equal(ahead('30d'), '2026-12-15T10:00:00Z');
  assert.equal(moment('back', () => NOW)('2h'), '2026-11-15T08:00:00Z');
  assert.equal(ahead('2027-01-31T00:00:00Z'), '2027-01-31T00:00:00Z');
  assert.equal(ahead('2027-01-31t01:30:00+01:30'), '2027-01-31T00:00:00Z');
  assert.equal(ahead('2028-02-29'), '2028-02-29T00:00:00Z');
  for (const text of [
    '2027-01-31T00:00:00',
    '2027-02-29',
    '2027-04-31T00:00:00Z',
    '2027-13-01',
    'tomorrow',
    '31.1.2027',
  ]) {
    assert.throws(() => ahead(text), /Give a timestamp/, text);
  }
});

test('how far off something is, is said roughly', () => {
  const said = (ms: number) => fromNow(new Date(NOW + ms).toISOString(), NOW);
  assert.equal(said(30 * 86_400_000 - 700), 'in 30 d');
  assert.equal(said(-3 * 3_600_000), '3 h ago');
  assert.equal(said(90 * 60_000), 'in 90 min');
  assert.equal(said(-400), 'now');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackOff } from './back-off.ts';
import { Pace } from './pace.ts';

const NOW = Date.UTC(2026, 10, 15, 12);

test('a clock that is set back does not keep the next heartbeat waiting', () => {
  const pace = new Pace();
  pace.sent(NOW);
  assert.equal(pace.spacing(NOW + 40), 60);
  assert.equal(pace.spacing(NOW + 100), 0);
  assert.equal(pace.spacing(NOW - 86_400_000), 100);
});

test('what cannot wait goes out at once, a few times in a row and then twenty times a second', () => {
  const pace = new Pace();
  pace.sent(NOW);
  assert.equal(pace.spacing(NOW), 100);
  for (let times = 0; times < 4; times++) {
    assert.equal(pace.urgentSpacing(NOW), 0);
    pace.sent(NOW, true);
  }
  assert.equal(pace.urgentSpacing(NOW), 50);
  assert.equal(pace.urgentSpacing(NOW + 20), 30);
  assert.equal(pace.urgentSpacing(NOW - 86_400_000), 50, 'also when the clock was set back');
  pace.sent(NOW + 100, true);
  assert.equal(pace.urgentSpacing(NOW + 100), 0, 'one that would have gone out anyway does not count');
});

test('whatever pause the coordinator asks for, the next heartbeat goes out within the hour, and a timer can take it', () => {
  const year_s = 365 * 86_400;
  const answer = { next_s: year_s, fruitful: true, took_ms: 10 };
  assert.equal(new Pace().afterAnswer(answer, 15), 3_600_000);
  assert.equal(new Pace().afterAnswer({ ...answer, next_s: 20 }, 15), 20_000);
  assert.equal(new BackOff(() => 0).next(15, year_s), 300_000);
  assert.equal(new BackOff(() => 0).next(15, 20), 20_000);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListeningTime } from './listening-time.ts';

test('a held-up event loop does not count as listening, and the time never goes back', (t) => {
  let at = 1000;
  t.mock.method(performance, 'now', () => at);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const time = new ListeningTime({ now: () => at, monotonic: () => at });
  t.after(() => time.close());
  const began = time.now();
  at += 10_000; // the process stood still
  const first = time.now();
  assert.equal(first - began, 500, 'as much as passes between two looks at most');
  t.mock.timers.tick(500);
  assert.equal(time.now(), first);
  at += 1400; // busy, and still there
  t.mock.timers.tick(500);
  assert.equal(time.now() - first, 1400);
});

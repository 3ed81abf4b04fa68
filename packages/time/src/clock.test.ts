import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemClock } from './clock.ts';

it('goes by whole milliseconds, so that sums of its times are exact', () => {
  for (let count = 0; count < 100; count++) assert.ok(Number.isInteger(systemClock.monotonic()));
});

it('ends a sleep with the reason of its signal, also one that was aborted before', async () => {
  const stop = new AbortController();
  const slept = systemClock.sleep(1_000_000, stop.signal);
  stop.abort(new Error('enough'));
  await assert.rejects(slept, /enough/);
  await assert.rejects(systemClock.sleep(0, stop.signal), /enough/);
  await systemClock.sleep(1, new AbortController().signal);
});

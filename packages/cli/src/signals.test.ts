import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abortOnSignal, Interrupted } from './signals.ts';

test('a signal that comes twice by several ways is one wish, and a second wish ends at once', (t) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) t.after(() => process.removeAllListeners(signal));
  let now_ms = 1000;
  const exits: number[] = [];
  const ending = abortOnSignal({ now: () => now_ms, exit: (code) => exits.push(code) });

  process.emit('SIGINT');
  assert.ok(ending.reason instanceof Interrupted);
  assert.equal(ending.reason.exit_code, 130);
  now_ms += 200;
  process.emit('SIGINT');
  assert.deepEqual(exits, [], 'npm passes on what the terminal has sent already');
  process.emit('SIGTERM');
  assert.deepEqual(exits, [143], 'another signal is another wish');
  now_ms += 100;
  process.emit('SIGINT');
  assert.deepEqual(exits, [143, 130]);
});

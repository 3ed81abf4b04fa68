import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventRecord } from '@meshwork/contract';
import { EventLog } from './event-log.ts';

const event = (seq: number): EventRecord => ({
  seq,
  type: 'settings.changed',
  at: '2026-11-15T09:30:00.000Z',
  subject: { kind: 'settings', id: 'settings' },
  revision: seq,
  data: {},
});

test('a burst is one change, newest first, and only the last 500 are kept', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const log = new EventLog();
  let changes = 0;
  log.subscribe(() => {
    changes += 1;
  });
  for (let seq = 1; seq <= 600; seq++) log.add(event(seq));
  assert.equal(log.newestFirst.length, 0);
  t.mock.timers.tick(100);
  log.add(event(601));
  t.mock.timers.tick(100);
  assert.equal(changes, 2);
  assert.equal(log.newestFirst.length, 500);
  assert.deepEqual([log.newestFirst[0]?.seq, log.newestFirst.at(-1)?.seq], [601, 102]);
});

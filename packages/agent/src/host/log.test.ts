import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLog } from './log.ts';

function logged(log_format: 'json' | 'text') {
  const lines: string[] = [];
  const log = openLog({ log_level: 'info', log_format }, { write: (text) => lines.push(text) });
  return { log, lines };
}

test('a line of JSON each, in the form of the coordinator’s', () => {
  const { log, lines } = logged('json');
  log.info('connected', { revision: 7 });
  log.debug('unheard');
  assert.equal(lines.length, 1);
  const { time, ...rest } = JSON.parse(lines[0] ?? '') as { time: string };
  assert.deepEqual(rest, { level: 30, service: 'agent', revision: 7, msg: 'connected' });
  assert.equal(new Date(time).toISOString(), time);
});

test('words for people, and what others sent cannot begin a line of its own', () => {
  const { log, lines } = logged('text');
  log.warn('it was refused', { code: 'busy', detail: 'no\nerror forged', took_ms: 3 });
  assert.deepEqual(lines, ['warn  it was refused code=busy detail="no\\nerror forged" took_ms=3\n']);
  log.error('first\nsecond');
  assert.equal(lines[1], 'error first second\n');
});

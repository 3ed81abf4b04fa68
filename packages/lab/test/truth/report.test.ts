import assert from 'node:assert/strict';
import { test } from 'node:test';
import { report } from './report.ts';
import { type Entry, Tally } from './tally.ts';

const agreed: Entry = {
  phase: 'before',
  faults: [],
  verdict: 'allowed',
  reality: 'passed',
  by_family: false,
  asked_again: false,
  judgement: 'agrees',
  outside: false,
  cause: null,
  reason: null,
};
const unknown = {
  ...agreed,
  verdict: 'unknown',
  judgement: 'unknown',
  cause: 'link',
  reason: 'red-1 -> red-2: no handshake',
} as const;

test('the report counts by fault, and gives every lie with its replay command', () => {
  const tally = new Tally();
  tally.entries.push(agreed, unknown, { ...unknown, outside: true, cause: 'route' });
  tally.entries.push({ ...unknown, reality: 'both', by_family: true, reason: 'IPv4 is allowed, IPv6 is denied' });
  tally.entries.push({
    ...agreed,
    phase: 'settled',
    faults: ['link-cut', 'drain'],
    reality: 'failed',
    judgement: 'lie',
  });
  tally.entries.push({ ...agreed, phase: 'settled', faults: ['drain'], verdict: 'denied', reality: 'failed' });
  tally.lies.push({ round: 3, text: 'round 3: red-1 -> red-2\n  replay: npm run truth -- --seed 7 --round 3' });
  tally.openTimes.push({ round: 3, fault: 'table-deleted', node: 'red-1', open_ms: 41.6, reported_ms: null });
  const text = report(tally, { seed: 7, rounds: 4 });
  assert.match(text, /Seed 7, 4 rounds, 6 comparisons, 1 lies/);
  assert.match(text, /^\| link-cut \| 0 \| 1 \| 0 \| 0 \| 0 \| 0 \| 0 \| 0 \| 0 \| 1 \|$/m);
  assert.match(text, /^\| drain \| 0 \| 1 \| 1 \| 0 \| 0 \| 0 \| 0 \| 0 \| 0 \| 1 \|$/m);
  assert.match(text, /Settled and fault-free, .* counted as known: 1 of 3 \(33\.3 %\)/);
  assert.match(text, /^- link: red-1 -> red-2: no handshake$/m);
  assert.match(text, /^\| 3 \| table-deleted \| red-1 \| 42 \| never \|$/m);
  assert.match(text, /replay: npm run truth -- --seed 7 --round 3/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthSnapshot } from '../../test/health-snapshot.ts';
import { ConversationRecord } from './conversation-record.ts';
import type { HealthSnapshot } from './health-source.ts';
import { readinessOf } from './readiness.ts';

const NOW = Date.parse('2026-11-15T09:30:00Z');
const of = (changes: Partial<HealthSnapshot>) => readinessOf(healthSnapshot(NOW, changes));
const said = (changes: Partial<HealthSnapshot>) => {
  const { ready, checks } = of(changes);
  return [
    ready,
    checks
      .filter(({ ok }) => !ok)
      .map(({ name, detail }) => `${name}: ${detail}`)
      .join(),
  ];
};

test('a node that does well is ready, and says how it reaches its peers', () => {
  const { ready, checks, peers, last_heartbeat } = of({});
  assert.ok(ready && checks.every(({ ok }) => ok));
  assert.deepEqual([peers, last_heartbeat], [{ direct: 2, relay: 1, idle: 0, none: 1 }, '2026-11-15T09:29:57Z']);
});

test('without its coordinator it stays ready, and says what it keeps and since when', () => {
  const status = { state: 'retrying', problem: 'unreachable', detail: 'nothing listens there' } as const;
  assert.deepEqual(said({ status }), [
    true,
    'coordinator: away since 2026-11-15T09:29:00Z (unreachable: nothing listens there); it keeps the configuration of revision 41',
  ]);
  assert.equal(of({ status: { state: 'starting' } }).ready, true);
  assert.equal(of({ status, sections: new Map(), revision: 0 }).ready, false);
});

test('it is not ready without anything in effect, with a section in error, without its engine, or at its end', () => {
  assert.deepEqual(said({ sections: new Map() }), [false, 'sections: nothing is in effect yet']);
  const error = 'Could not process rule';
  const broken = new Map([['acl', { wanted: 9, in_effect: 8, error }]] as const);
  assert.deepEqual(said({ sections: broken }), [false, `sections: acl: ${error}`]);
  const early = new Map([['self', { wanted: 9, in_effect: 0 }]] as const);
  assert.equal(of({ sections: early }).ready, false);
  assert.deepEqual(said({ engine: { ok: false, detail: 'mesh0 is gone' } }), [false, 'engine: mesh0 is gone']);
  assert.equal(of({ status: { state: 'ended', reason: 'removed', detail: 'gone' } }).ready, false);
});

test('a section that is just being applied is no fault', () => {
  const sections = new Map([
    ['self', { wanted: 7, in_effect: 7 }],
    ['peers', { wanted: 42, in_effect: 41 }],
  ] as const);
  const { ready, checks } = of({ sections });
  assert.deepEqual([ready, checks[1]?.detail], [true, 'being applied: peers']);
});

test('being away begins with the first failure, whatever the later ones say', () => {
  let now = 1000;
  const record = new ConversationRecord(() => now);
  record.status('', { state: 'connected' });
  now = 2000;
  record.status('', { state: 'retrying', problem: 'unreachable', detail: 'a' });
  now = 3000;
  record.status('', { state: 'retrying', problem: 'refused', detail: 'b' });
  assert.deepEqual([record.status_since_ms, record.current.state], [2000, 'retrying']);
  record.answered();
  record.failed();
  record.superseded();
  assert.deepEqual([record.heartbeats, record.answered_ms], [{ answered: 1, superseded: 1, failed: 1 }, 3000]);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cancelConsequence, detailWords, stepsBehind } from './operation-words.ts';

describe('an operation in words', () => {
  test('is as far as it was proven, also when it ended badly', () => {
    assert.equal(stepsBehind({ state: 'requested', delivered_at: null }), 1);
    assert.equal(stepsBehind({ state: 'delivered', delivered_at: '2026-11-15T09:30:00Z' }), 2);
    assert.equal(stepsBehind({ state: 'verified', delivered_at: null }), 3);
    assert.equal(stepsBehind({ state: 'timed_out', delivered_at: null }), 1);
    assert.equal(stepsBehind({ state: 'failed', delivered_at: '2026-11-15T09:30:00Z' }), 2);
  });

  test('can be cancelled as the coordinator has it', () => {
    assert.notEqual(cancelConsequence({ kind: 'retag', state: 'delivered' }), null);
    assert.notEqual(cancelConsequence({ kind: 'rekey', state: 'requested' }), null);
    assert.equal(cancelConsequence({ kind: 'rekey', state: 'delivered' }), null);
    assert.equal(cancelConsequence({ kind: 'quarantine', state: 'requested' }), null);
    assert.equal(cancelConsequence({ kind: 'drain', state: 'verified' }), null);
  });

  test('says what was asked for', () => {
    assert.equal(detailWords({ kind: 'retag', detail: { tags: ['a', 'role:b'] } }), 'a role:b');
    assert.equal(detailWords({ kind: 'move_relay', detail: { relay: null } }), 'automatic');
    assert.equal(detailWords({ kind: 'quarantine', detail: { reason: null } }), null);
  });
});

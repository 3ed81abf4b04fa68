import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventRecord } from '@meshwork/contract';
import { drainWords, isAbout, loadWords, lossWords } from './relay-words.ts';

const others = [{ name: 'ams-1', healthy: true, draining: false }];

test('draining counts what is left, and says when the relay can be stopped', () => {
  assert.equal(drainWords({ draining: false, nodes: 3, standbys: 0 }), null);
  assert.match(
    drainWords({ draining: true, nodes: 3, standbys: 1 }) ?? '',
    /^3 nodes and 1 node with it as standby left/,
  );
  assert.match(drainWords({ draining: true, nodes: 0, standbys: 0 }) ?? '', /can be stopped/);
});

test('a relay that goes says what happens to its nodes, and that the last one leaves them alone', () => {
  const fra = { name: 'fra-1', nodes: 1, standbys: 2 };
  const moved = '1 node moves to other relays, and 2 nodes get another standby. Direct connections are not affected.';
  assert.equal(lossWords(fra, others), moved);
  assert.match(lossWords(fra, []), /^No other relay works/);
  assert.match(lossWords(fra, [{ name: 'fra-1', healthy: true, draining: false }]), /^No other relay works/);
  assert.match(lossWords(fra, [{ name: 'ams-1', healthy: true, draining: true }]), /^No other relay works/);
  assert.equal(lossWords({ ...fra, nodes: 0, standbys: 0 }, []), 'No node uses it.');
});

test('an external relay reports no load', () => {
  assert.equal(loadWords(null), 'Not reported');
});

test('events of a relay are its own, and those of nodes that came or left', () => {
  const event = (type: EventRecord['type'], kind: EventRecord['subject']['kind'], id: string, data: object) =>
    ({ seq: 1, type, at: '2026-11-16T09:30:00.000Z', subject: { kind, id }, revision: 1, data }) as EventRecord;
  assert.equal(isAbout('fra-1', event('relay.changed', 'relay', 'fra-1', {})), true);
  assert.equal(isAbout('fra-1', event('relay.changed', 'relay', 'fra-2', {})), false);
  assert.equal(isAbout('fra-1', event('relay.assigned', 'node', 'node_1', { from: null, to: 'fra-1' })), true);
  assert.equal(isAbout('fra-1', event('relay.assigned', 'node', 'node_1', { from: 'ams-1', to: null })), false);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Seat } from './relay-seat.ts';
import { relayWays } from './relay-ways.ts';

const seat = (relay: string): Seat => ({
  relay,
  allocation: `${relay}/1`,
  transport: 'udp',
  relayed: { address: '192.0.2.1', port: 50_000 },
});
const SEATS = [seat('fra-1'), seat('ams-1')];
const RELAYED = [
  { relay: 'par-1', endpoint: '192.0.2.7:50001' },
  { relay: 'fra-1', endpoint: '[2001:db8::7]:50002' },
];
const shown = (lost: readonly string[] = [], relayed = RELAYED, seats = SEATS) =>
  relayWays(seats, relayed, (relay) => lost.includes(relay)).map(
    (way) => `${way.seat.relay} ${way.relay} ${way.to.port}`,
  );

test('home to home comes first, and what shares nothing with it next', () => {
  assert.deepEqual(shown(), ['fra-1 par-1 50001', 'ams-1 fra-1 50002', 'fra-1 fra-1 50002', 'ams-1 par-1 50001']);
});

test('a relay that this node has just lost comes last', () => {
  assert.deepEqual(shown(['par-1']), [
    'ams-1 fra-1 50002',
    'fra-1 fra-1 50002',
    'fra-1 par-1 50001',
    'ams-1 par-1 50001',
  ]);
});

test('there is no way from nowhere or to nowhere, and none to what is no endpoint', () => {
  assert.deepEqual(shown([], []), []);
  assert.deepEqual(shown([], RELAYED, []), []);
  assert.deepEqual(shown([], [{ relay: 'fra-1', endpoint: 'nonsense' }]), []);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NodeId } from '@meshwork/contract';
import { NearerRelays } from './nearer-relays.ts';

const NODE = 'node_1' as NodeId;
const RULE = { move_gain_ms: 10, move_ratio_percent: 66 };

describe('a relay that is worth a move', () => {
  /** Notes one measurement each 30 s, and returns in which of them a move was due. */
  const run = (measurements: readonly (readonly [home: number, other: number])[], rule = RULE) => {
    const nearer = new NearerRelays();
    return measurements.map(([home, other], at) => {
      const round_trips = new Map([
        ['home', home],
        ['other', other],
      ]);
      const isDue = nearer.note(NODE, 'home', round_trips, rule, at * 30_000);
      assert.deepEqual([...nearer.of(NODE, at * 30_000)], isDue ? ['other'] : []);
      return isDue;
    });
  };

  it('has been much nearer in each of four measurements, over a minute and a half', () => {
    const lasting = Array.from({ length: 5 }, () => [60, 20] as const);
    assert.deepEqual(run(lasting), [false, false, false, true, true]);
  });

  it('is not one that is nearer now and then', () => {
    const noise = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? ([60, 20] as const) : ([20, 60] as const)));
    assert.ok(run(noise).every((isDue) => !isDue));
    const twoOfThree = Array.from({ length: 40 }, (_, at) => (at % 3 < 2 ? ([60, 20] as const) : ([30, 25] as const)));
    assert.ok(run(twoOfThree).every((isDue) => !isDue));
  });

  it('saves both the milliseconds and the part that the settings ask for', () => {
    const isDue = (home: number, other: number, rule = RULE) =>
      run(
        Array.from({ length: 4 }, () => [home, other] as const),
        rule,
      )[3];
    assert.equal(isDue(12, 3), false, 'a quarter, but only 9 ms');
    assert.equal(isDue(100, 80), false, '20 ms, but four fifths');
    assert.equal(isDue(100, 66), true);
    assert.equal(isDue(100, 67), false);
    assert.equal(isDue(20, 10), true);
    assert.equal(isDue(100, 80, { move_gain_ms: 5, move_ratio_percent: 90 }), true);
    assert.equal(isDue(12, 3, { move_gain_ms: 0, move_ratio_percent: 66 }), true);
  });

  it('counts anew after a move, and says nothing where the home is not measured', () => {
    const nearer = new NearerRelays();
    const round_trips = new Map([
      ['home', 60],
      ['other', 20],
    ]);
    assert.equal(nearer.note(NODE, 'home', round_trips, RULE, 0), false);
    nearer.forget(NODE);
    assert.equal(nearer.note(NODE, 'home', round_trips, RULE, 90_000), false);
    assert.equal(nearer.note(NODE, 'unmeasured', round_trips, RULE, 600_000), false);
    assert.equal(nearer.of(NODE, 900_000).size, 0);
  });
});

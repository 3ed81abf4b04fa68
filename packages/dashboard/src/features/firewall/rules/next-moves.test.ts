import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { moved, nextMoves } from './next-moves.ts';

describe('a new order of rules', () => {
  it('is reached by the fewest moves', () => {
    assert.deepEqual(nextMoves(['a', 'b', 'c'], ['a', 'b', 'c']), []);
    assert.deepEqual(nextMoves(['a', 'b', 'c'], ['b', 'c', 'a']), [{ id: 'a', before: null }]);
    assert.deepEqual(nextMoves(['a', 'b', 'c', 'd'], ['d', 'a', 'b', 'c']), [{ id: 'd', before: 'a' }]);
    assert.equal(nextMoves(['a', 'b', 'c', 'd'], ['d', 'c', 'b', 'a']).length, 3);
  });

  it('is reached whichever of the possible moves comes first', () => {
    const orders = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { maxLength: 12 }).chain((ids) =>
      fc.record({
        current: fc.constant(ids),
        wanted: fc.shuffledSubarray(ids, { minLength: ids.length }),
        choices: fc.array(fc.nat(11), { minLength: 12, maxLength: 12 }),
      }),
    );
    fc.assert(
      fc.property(orders, ({ current, wanted, choices }) => {
        let order: readonly string[] = current;
        const needed = nextMoves(order, wanted).length;
        for (let step = 0; step < needed; step++) {
          const moves = nextMoves(order, wanted);
          assert.equal(moves.length, needed - step);
          order = moved(order, moves[(choices[step] ?? 0) % moves.length] ?? { id: '', before: null });
        }
        assert.deepEqual(order, wanted);
      }),
    );
  });
});

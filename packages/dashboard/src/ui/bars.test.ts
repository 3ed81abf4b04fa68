import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barsOf } from './bars.ts';

const SIZE = { width: 100, height: 50 };

test('the highest step fills the height, and its series stand on top of each other', () => {
  const { bars, most } = barsOf([{ counts: [3, 1] }, { counts: [0, 2] }], SIZE);
  assert.equal(most, 4);
  const [first, second, third] = bars;
  assert.deepEqual([first?.y, first?.height], [12.5, 37.5]);
  assert.deepEqual([second?.y, second?.height], [0, 12.5]);
  assert.deepEqual([third?.step, third?.series, third?.y, third?.height], [1, 1, 25, 25]);
});

test('steps are beside each other, and do not leave the drawing', () => {
  const { bars } = barsOf(
    Array.from({ length: 48 }, () => ({ counts: [1, 1, 1] })),
    SIZE,
  );
  for (const [index, bar] of bars.entries()) {
    assert.ok(bar.x >= 0 && bar.x + bar.width <= SIZE.width && bar.y >= 0, `bar ${index}`);
  }
});

test('one among thousands is to be seen, and nothing is drawn for nothing', () => {
  const { bars } = barsOf([{ counts: [10_000] }, { counts: [1] }, { counts: [0] }], SIZE);
  assert.deepEqual(
    bars.map(({ step, height }) => [step, height]),
    [
      [0, 50],
      [1, 2],
    ],
  );
  assert.deepEqual(barsOf([], SIZE), { bars: [], most: 0 });
});

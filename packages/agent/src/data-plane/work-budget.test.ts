import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Contention } from './contention.ts';
import { bounded } from './foreign-rules.ts';
import { WorkBudget } from './work-budget.ts';

it('work takes its share of the time, after a burst', () => {
  const budget = new WorkBudget({ share: 1 / 5, burst_ms: 100 }, 0);
  assert.equal(budget.wait(0), 0);
  budget.spend(99, 0);
  assert.equal(budget.wait(0), 0);
  budget.spend(40, 0);
  assert.equal(budget.wait(0), 200);
  assert.equal(budget.wait(200), 0);
  assert.equal(budget.wait(-1_000_000), 0, 'a clock that is set back takes nothing away');
});

it('something is contested while it was put back five times in ten seconds', () => {
  const contention = new Contention<string>();
  for (let at = 0; at < 5; at += 1) {
    assert.equal(contention.over('filter', at * 1000), undefined);
    contention.repaired('filter', 'it was deleted', at * 1000);
  }
  assert.match(contention.over('filter', 4000) ?? '', /5 times in the last 10 s\): it was deleted/);
  assert.equal(contention.over('network', 4000), undefined);
  assert.equal(contention.over('filter', 10_000), undefined);
});

it('of too many foreign rules the last entries say how many more there are', () => {
  const rule = { kind: 'filter', direction: 'in', text: 'drop' } as const;
  assert.equal(bounded(Array.from({ length: 20 }, () => rule)).length, 20);
  const many = bounded([...Array.from({ length: 30 }, () => rule), { ...rule, direction: 'out' as const }]);
  assert.deepEqual(
    many.slice(-2).map(({ direction, text }) => [direction, text]),
    [
      ['in', 'and 13 more rules of other programs'],
      ['out', 'and 1 more rules of other programs'],
    ],
  );
});

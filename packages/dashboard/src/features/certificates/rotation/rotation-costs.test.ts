import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEADLINES, deadlineSeconds, holdSeconds, NO_DEADLINE, NO_HOLD, rotationCosts } from './rotation-costs.ts';

const costs = (what: 'intermediate' | 'root', deadline: string = NO_DEADLINE, hold: string = NO_HOLD) =>
  rotationCosts({ what, deadline, hold }).join('\n');

describe('what a rotation costs', () => {
  it('is said of overdue nodes every time', () => {
    for (const { value } of DEADLINES) assert.match(costs('intermediate', value), /Overdue nodes are not waited for/);
  });

  it('names machines outside the mesh only for a root', () => {
    assert.match(costs('root'), /Machines outside the mesh .* new trust bundle before the switch/);
    assert.doesNotMatch(costs('intermediate'), /outside the mesh/);
  });

  it('names the deadline where there is one', () => {
    assert.match(costs('root', '7d'), /After 7 days, it comes in any case/);
    assert.doesNotMatch(costs('root'), /in any case/);
    assert.equal(deadlineSeconds('1h'), 3600);
    assert.equal(deadlineSeconds(NO_DEADLINE), undefined);
  });

  it('names the minimum time where there is one', () => {
    assert.match(costs('root', NO_DEADLINE, '7d'), /no earlier than 7 days from now/);
    assert.doesNotMatch(costs('root'), /no earlier than/);
    assert.equal(holdSeconds('1d'), 86_400);
    assert.equal(holdSeconds(NO_HOLD), undefined);
  });
});

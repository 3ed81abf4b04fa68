import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inStagedOrder, isSameOrder } from './staged-order.ts';

const rules = (text: string) => [...text].map((id) => ({ id }));
const arranged = (there: string, staged: string | null) =>
  inStagedOrder(rules(there), staged === null ? null : [...staged])
    .map(({ id }) => id)
    .join('');

describe('an order that is not saved yet', () => {
  it('is kept while others add and delete rules', () => {
    assert.equal(arranged('abc', null), 'abc');
    assert.equal(arranged('abc', 'cab'), 'cab');
    assert.equal(arranged('ac', 'cab'), 'ca');
    assert.equal(arranged('abxc', 'cab'), 'cabx');
    assert.equal(arranged('xabc', 'cab'), 'xcab');
    assert.equal(arranged('abcxy', 'cab'), 'cxyab');
  });

  it('is known from the one there is', () => {
    assert.ok(isSameOrder(rules('ab'), rules('ab')));
    assert.ok(!isSameOrder(rules('ab'), rules('ba')));
    assert.ok(!isSameOrder(rules('ab'), rules('abc')));
  });
});

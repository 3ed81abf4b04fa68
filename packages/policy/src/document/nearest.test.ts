import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nearest } from './nearest.ts';

describe('the name that somebody meant', () => {
  it('is a slip or two away', () => {
    const known = ['developers', 'designers', 'git', 'from', 'to'];
    for (const [written, meant] of [
      ['develpers', 'developers'],
      ['developersss', 'developers'],
      ['devleopers', 'developers'],
      ['desingers', 'designers'],
      ['form', 'from'],
      ['fromm', 'from'],
      ['gti', 'git'],
    ] as const) {
      assert.equal(nearest(written, known), meant);
    }
    for (const far of ['', 'x', 'ot', 'printers', 'gut-servers', 'velopersde', 'x'.repeat(10_000)]) {
      assert.equal(nearest(far, known), undefined, far);
    }
  });

  it('is the nearest, and the first of those equally near', () => {
    assert.equal(nearest('git-serverz', ['git-servant', 'git-servers', 'git-server']), 'git-servers');
    assert.equal(nearest('abcx', ['abcd', 'abce']), 'abcd');
    assert.equal(nearest('abcdef', ['abcdef']), 'abcdef');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { nearest, nearestFew } from './nearest.ts';

describe('the nearest known name', () => {
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

  it('is one of a few, the nearest first and then the first', () => {
    const known = ['laptop-33', 'laptop-5', 'laptop-55', 'printer', 'laptop-3', 'laptop-4', 'laptop-44'];
    assert.deepEqual(nearestFew('laptop-3', known, 3), ['laptop-3', 'laptop-33', 'laptop-5']);
    assert.deepEqual(nearestFew('laptop-3', known, 1), ['laptop-3']);
    assert.deepEqual(nearestFew('laptop-3', known, 0), []);
    assert.deepEqual(nearestFew('printers', known, 3), ['printer']);
  });

  it('is found in one pass as it is by comparing with each alone', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(
        word,
        fc.uniqueArray(word, { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        (name, known, count) => {
          const all = nearestFew(name, known, known.length);
          assert.deepEqual(nearestFew(name, known, count), all.slice(0, count));
          assert.deepEqual(new Set(all), new Set(known.filter((one) => nearest(name, [one]) === one)));
        },
      ),
    );
  });
});

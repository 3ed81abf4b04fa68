import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lookOf, pathsOf } from './link-look.ts';

describe('how links are drawn', () => {
  test('one that works by its path, any other by what is wrong with it', () => {
    assert.equal(lookOf({ state: 'up', path: 'direct' }), 'direct');
    assert.equal(lookOf({ state: 'up', path: 'relay' }), 'relayed');
    assert.equal(lookOf({ state: 'up', path: 'mixed' }), 'relayed');
    assert.equal(lookOf({ state: 'half', path: 'direct' }), 'half');
    assert.equal(lookOf({ state: 'idle', path: 'idle' }), 'idle');
    assert.equal(lookOf({ state: 'down', path: 'relay' }), 'down');
    assert.equal(lookOf({ state: 'unknown', path: 'unknown' }), 'unknown');
  });

  test('all of one look in one path, and none of an end that has no place', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 10, y: 0 },
      { x: 0, y: 10 },
    ];
    const link = (a: number, b: number) => ({ a, b, state: 'up', path: 'direct' }) as const;
    const paths = pathsOf([link(0, 1), link(0, 2), link(0, 3)], (place) => points[place]);
    assert.equal(paths.direct, 'M0 0L10 0M0 0L0 10');
    assert.equal(paths.down, '');
  });
});

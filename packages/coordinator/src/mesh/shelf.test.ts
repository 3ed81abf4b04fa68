import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Shelf } from './shelf.ts';

describe('a shelf', () => {
  it('walks in order of id from just after any id, whatever was put and taken in between', () => {
    const id = fc.stringMatching(/^[a-d]{1,3}$/);
    const step = fc.oneof(
      fc.record({ do: fc.constant('set' as const), id }),
      fc.record({ do: fc.constant('delete' as const), id }),
      fc.record({ do: fc.constant('walk' as const), id }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const shelf = new Shelf<string>();
        const plain = new Set<string>();
        for (const { do: what, id: on } of steps) {
          if (what === 'set') {
            shelf.set(on, on);
            plain.add(on);
          } else if (what === 'delete') {
            shelf.delete(on);
            plain.delete(on);
          } else {
            assert.deepEqual([...shelf.after(on)], [...plain].filter((other) => other > on).sort());
          }
        }
        assert.deepEqual([...shelf.after(undefined)], [...plain].sort());
        assert.equal(shelf.size, plain.size);
      }),
    );
  });

  it('is empty after it was cleared', () => {
    const shelf = new Shelf<number>();
    shelf.set('b', 1);
    shelf.set('a', 2);
    shelf.clear();
    assert.deepEqual([...shelf.after(undefined)], []);
    assert.equal(shelf.get('a'), undefined);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OrderedMap } from './ordered-map.ts';

describe('a map', () => {
  it('walks in order of id from just after any id, whatever was put and taken in between', () => {
    const id = fc.stringMatching(/^[a-d]{1,3}$/);
    const step = fc.oneof(
      fc.record({ do: fc.constant('set' as const), id }),
      fc.record({ do: fc.constant('delete' as const), id }),
      fc.record({ do: fc.constant('walk' as const), id }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const map = new OrderedMap<string>();
        const plain = new Set<string>();
        for (const { do: what, id: on } of steps) {
          if (what === 'set') {
            map.set(on, on);
            plain.add(on);
          } else if (what === 'delete') {
            map.delete(on);
            plain.delete(on);
          } else {
            assert.deepEqual([...map.after(on)], [...plain].filter((other) => other > on).sort());
          }
        }
        assert.deepEqual([...map.after(undefined)], [...plain].sort());
        assert.equal(map.size, plain.size);
      }),
    );
  });

  it('is empty after it was cleared', () => {
    const map = new OrderedMap<number>();
    map.set('b', 1);
    map.set('a', 2);
    map.clear();
    assert.deepEqual([...map.after(undefined)], []);
    assert.equal(map.get('a'), undefined);
  });
});

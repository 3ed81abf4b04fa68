import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HeldRecords, type RecordKind } from './held-records.ts';

interface Thing {
  readonly key: string;
  readonly weight: number;
}

/** Close to the largest digest, so that sums wrap around. */
const HEAVY = 2 ** 48 - 3;
const kind: RecordKind<Thing> = { idOf: ({ key }) => key, digestOf: ({ weight }) => weight };
const key = fc.constantFrom('a', 'b', 'c', 'd');
const thing = fc.record({ key, weight: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(HEAVY)) });
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: thing.map((put) => ({ put })) },
    { weight: 3, arbitrary: key.map((remove) => ({ remove })) },
    { weight: 1, arbitrary: fc.constant('clear' as const) },
  ),
  { maxLength: 30 },
);

test('held records hold what a plain model holds, and its digest', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const held = new HeldRecords(kind);
      const model = new Map<string, Thing>();
      for (const step of taken) {
        if (step === 'clear') {
          held.clear();
          model.clear();
        } else if ('put' in step) {
          held.put(step.put);
          model.set(step.put.key, step.put);
        } else {
          held.remove(step.remove);
          model.delete(step.remove);
        }
        assert.deepEqual([...held.ids()], [...model.keys()]);
        assert.equal(held.size, model.size);
        assert.deepEqual([...held.all()], [...model.values()]);
        for (const id of ['a', 'd']) {
          assert.equal(held.has(id), model.has(id));
          assert.equal(held.get(id), model.get(id));
        }
        assert.equal(held.digest, sumOf([...model.values()]));
      }
    }),
  );
});

test('held records compute one digest for each record that comes, and none for one that goes', () => {
  let computed = 0;
  const digestOf = ({ weight }: Thing) => {
    computed += 1;
    return weight;
  };
  const held = new HeldRecords({ ...kind, digestOf });
  held.put({ key: 'a', weight: 1 });
  held.put({ key: 'a', weight: 2 });
  held.put({ key: 'b', weight: 3 });
  held.remove('a');
  held.clear();
  assert.equal(computed, 3);
});

function sumOf(things: readonly Thing[]): number {
  return Number(things.reduce((sum, { weight }) => sum + BigInt(weight), 0n) % 2n ** 48n);
}

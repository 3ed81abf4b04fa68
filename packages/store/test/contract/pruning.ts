import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Journal, Observation } from '../../src/index.ts';
import type { Subject } from './subject.ts';

function seen(at_ms: number, rest: Partial<Observation> = {}): Observation {
  return { log: 'flows', key: 'a', at_ms, id: 'a', body: '', ...rest };
}

async function times(journal: Journal, log = 'flows'): Promise<readonly number[]> {
  const found = await journal.observations({ log, order: 'oldest_first', limit: 100_000 });
  return found.map(({ at_ms }) => at_ms);
}

export function pruning({ open }: Subject): void {
  describe('pruning observations', () => {
    it('removes what is too old by its own time, late or not', async (t) => {
      const journal = await open(t);
      await journal.observe([seen(30), seen(10)]);
      await journal.observe([seen(20), seen(9_999_999_999_999), seen(-5)]);
      assert.equal(await journal.prune('flows', { before_ms: 20 }), 2);
      assert.deepEqual(await times(journal), [20, 30, 9_999_999_999_999]);
      assert.equal(await journal.prune('flows', { before_ms: 20 }), 0);
      await journal.observe([seen(10)]);
      assert.deepEqual(await times(journal), [10, 20, 30, 9_999_999_999_999]);
    });

    it('keeps the latest, as many as asked for', async (t) => {
      const journal = await open(t);
      const given = [seen(1), seen(2), seen(2, { id: 'b' }), seen(2, { key: 'b' }), seen(3)];
      await journal.observe(given);
      assert.equal(await journal.prune('flows', { most: 5 }), 0);
      assert.equal(await journal.prune('flows', { most: 3 }), 2);
      assert.deepEqual(await journal.observations({ log: 'flows', order: 'oldest_first', limit: 9 }), given.slice(2));
      assert.equal(await journal.prune('flows', { most: 3, before_ms: 3 }), 2);
      assert.deepEqual(await times(journal), [3]);
      assert.equal(await journal.prune('flows', {}), 0);
      assert.equal(await journal.prune('flows', { most: 0 }), 1);
      assert.deepEqual(await times(journal), []);
    });

    it('touches no other log', async (t) => {
      const journal = await open(t);
      await journal.observe([seen(1), seen(1, { log: 'waf' })]);
      assert.equal(await journal.prune('flows', { before_ms: 2, most: 0 }), 1);
      assert.equal(await journal.prune('nowhere', { before_ms: 2, most: 0 }), 0);
      assert.deepEqual(await times(journal, 'waf'), [1]);
    });

    it('removes any number of them, while others come', async (t) => {
      const journal = await open(t);
      await journal.observe(Array.from({ length: 9_000 }, (_, index) => seen(index)));
      const pruning = journal.prune('flows', { before_ms: 8_500 });
      const coming = Array.from({ length: 20 }, (_, index) => journal.observe([seen(10_000 + index)]));
      assert.equal(await pruning, 8_500);
      await Promise.all(coming);
      assert.equal(await journal.prune('flows', { most: 100 }), 420);
      const left = await times(journal);
      assert.deepEqual([left.length, left[0], left.at(-1)], [100, 8_920, 10_019]);
    });
  });
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Journal, Mark } from '../../src/index.ts';
import type { Subject } from './subject.ts';

function seen(key: string, at_ms: number, body: string | null = null): Mark {
  return { key, at_ms, body };
}

async function all(journal: Journal): Promise<readonly Mark[]> {
  const { marks } = await journal.marks(0);
  return marks.toSorted((a, b) => a.key.localeCompare(b.key));
}

export function marks({ open, newPlace }: Subject): void {
  describe('signs of life', () => {
    it('outlive the process, and the latest wins', async (t) => {
      const place = await newPlace();
      const journal = await open(t, place);
      await journal.mark([seen('a', 10, '{"up":true}'), seen('b', 10)]);
      await journal.mark([seen('a', 20, null), seen('b', 5, '{"old":true}')]);
      await journal.close();
      assert.deepEqual(await all(await open(t, place)), [seen('a', 20), seen('b', 10)]);
    });

    it('of the same time are replaced by the one that came last', async (t) => {
      const journal = await open(t);
      await journal.mark([seen('a', 10, '1')]);
      await journal.mark([seen('a', 10, '2')]);
      assert.deepEqual(await all(journal), [seen('a', 10, '2')]);
    });

    it('may repeat a key in one call', async (t) => {
      const journal = await open(t);
      await journal.mark([seen('a', 10, '1'), seen('a', 30, '3'), seen('a', 20, '2')]);
      assert.deepEqual(await all(journal), [seen('a', 30, '3')]);
    });

    it('are told since the last answer', async (t) => {
      const journal = await open(t);
      const empty = await journal.marks(0);
      assert.deepEqual(empty.marks, []);
      await journal.mark([seen('a', 10), seen('b', 10)]);
      const first = await journal.marks(empty.stamp);
      assert.equal(first.marks.length, 2);
      await journal.mark([seen('b', 11), seen('a', 9)]);
      await journal.mark([seen('c', 1)]);
      const second = await journal.marks(first.stamp);
      assert.deepEqual(second.marks.map(({ key }) => key).sort(), ['b', 'c']);
      assert.deepEqual((await journal.marks(second.stamp)).marks, []);
    });

    it('are no commits', async (t) => {
      const journal = await open(t);
      await journal.mark([seen('a', 10)]);
      await journal.mark([]);
      assert.equal((await journal.since(0)).revision, 0);
    });
  });
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Journal, Mark } from '../../src/index.ts';
import type { Subject } from './subject.ts';

/** More calls than any store keeps apart. */
const MANY_CALLS = 70;

function seen(key: string, at_ms: number, body: string | null = null, count = 0): Mark {
  return { key, at_ms, count, body };
}

async function all(journal: Journal): Promise<readonly Mark[]> {
  return sorted((await journal.marks(0)).marks);
}

function sorted(marks: readonly Mark[]): readonly Mark[] {
  return marks.toSorted((a, b) => a.key.localeCompare(b.key));
}

export function marks({ open, newPlace }: Subject): void {
  describe('signs of life', () => {
    it('outlive the process, and the latest wins', async (t) => {
      const place = await newPlace();
      const journal = await open(t, place);
      await journal.mark([seen('a', 10, '{"up":true}', 1), seen('b', 10, null, 7)]);
      await journal.mark([seen('a', 20, null, 2), seen('b', 5, '{"old":true}', 9)]);
      await journal.close();
      assert.deepEqual(await all(await open(t, place)), [seen('a', 20, null, 2), seen('b', 10, null, 7)]);
    });

    it('of the same time are replaced by the one that came last', async (t) => {
      const journal = await open(t);
      await journal.mark([seen('a', 10, '1', 2)]);
      await journal.mark([seen('a', 10, '2', 1)]);
      assert.deepEqual(await all(journal), [seen('a', 10, '2', 1)]);
    });

    it('may repeat a key in one call', async (t) => {
      const journal = await open(t);
      await journal.mark([seen('a', 10, '1', 1), seen('a', 30, '3', 3), seen('a', 20, '2', 2)]);
      assert.deepEqual(await all(journal), [seen('a', 30, '3', 3)]);
      await journal.mark([seen('a', 40, '4', 4), seen('a', 40, '3', 5), seen('a', 39, '5', 6)]);
      assert.deepEqual(await all(journal), [seen('a', 40, '3', 5)]);
    });

    it('are read since the last answer', async (t) => {
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

    it('are read with the body that they share with earlier ones', async (t) => {
      const journal = await open(t);
      await journal.mark([seen('a', 10, 'body', 1), seen('b', 10, 'other', 1)]);
      const { stamp } = await journal.marks(0);
      await journal.mark([seen('a', 11, 'body', 2)]);
      const later = await journal.marks(stamp);
      assert.deepEqual(later.marks, [seen('a', 11, 'body', 2)]);
    });

    it('that go on for long keep the last body, also of what fell silent or is marked in a new process', async (t) => {
      const place = await newPlace();
      const journal = await open(t, place);
      await journal.mark([seen('steady', 0, 'steady', 1), seen('silent', 0, 'silent', 1), seen('changing', 0, 'x', 1)]);
      let stamp = 0;
      for (let at_ms = 1; at_ms <= MANY_CALLS; at_ms += 1) {
        stamp = (await journal.marks(stamp)).stamp;
        const changing = [null, 'x', 'y'][at_ms % 3];
        await journal.mark([seen('steady', at_ms, 'steady', at_ms), seen('changing', at_ms, changing, at_ms)]);
      }
      const steady = seen('steady', MANY_CALLS, 'steady', MANY_CALLS);
      const changing = seen('changing', MANY_CALLS, 'x', MANY_CALLS);
      const silent = seen('silent', 0, 'silent', 1);
      assert.deepEqual(sorted((await journal.marks(stamp)).marks), [changing, steady]);
      assert.deepEqual(await all(journal), [changing, silent, steady]);
      await journal.close();
      const reopened = await open(t, place);
      assert.deepEqual(await all(reopened), [changing, silent, steady]);
      // What is older than what the process before has seen is no news, and neither is its body.
      await reopened.mark([seen('steady', 1, 'old', 1)]);
      await reopened.mark([seen('changing', MANY_CALLS + 1, null, 1)]);
      assert.deepEqual(await all(reopened), [seen('changing', MANY_CALLS + 1, null, 1), silent, steady]);
      await reopened.mark([seen('steady', MANY_CALLS + 1, 'old', 1)]);
      assert.equal((await all(reopened)).at(-1)?.body, 'old');
    });

    it('may have any key', async (t) => {
      const place = await newPlace();
      const journal = await open(t, place);
      const keys = ['1 2 three', '["a",1,2,null]', 'two\nlines', ' ', '\n', '\r\n', '界 𐍈', '\u2028'];
      for (const count of [1, 2]) {
        const marked = keys.map((key) => seen(key, 5, key, count));
        await journal.mark(marked);
        assert.deepEqual(await all(journal), sorted(marked));
      }
      await journal.close();
      assert.deepEqual(await all(await open(t, place)), sorted(keys.map((key) => seen(key, 5, key, 2))));
    });

    it('may have any whole number for a time and a count', async (t) => {
      const journal = await open(t);
      const [least, most] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
      // The second time they are so far apart that their difference is no exact number.
      for (const at_ms of [least, 6, most]) {
        const marked = [seen('far', at_ms, 'far', -at_ms), seen('near', least, 'near', at_ms)];
        await journal.mark(marked.toReversed());
        assert.deepEqual(await all(journal), marked);
      }
    });

    it('are no commits', async (t) => {
      const journal = await open(t);
      await journal.mark([seen('a', 10)]);
      await journal.mark([]);
      assert.equal((await journal.since(0)).revision, 0);
    });
  });
}

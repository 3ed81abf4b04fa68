import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { News } from '../../src/index.ts';
import { eventually } from '../eventually.ts';
import { apply, node, Scribe } from '../scribe.ts';
import type { Subject } from './subject.ts';

export function news({ open }: Subject): void {
  describe('news', () => {
    it('is the latest version of each changed document, in order of revision', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.put(node('old'));
      await scribe.commit({ changes: [node('a', '1'), node('c', '1')] }, { changes: [node('b', '1')] });
      await scribe.put(node('a', '2'));
      const answer = await scribe.journal.since(1);
      assert.deepEqual(answer, {
        revision: 4,
        whole: false,
        documents: [
          { kind: 'node', id: 'c', revision: 2, body: '1' },
          { kind: 'node', id: 'b', revision: 3, body: '1' },
          { kind: 'node', id: 'a', revision: 4, body: '2' },
        ],
      });
    });

    it('names deleted documents, until they are there again', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.put(node('a'), node('b'));
      await scribe.put(node('a', null), node('b', null));
      await scribe.put(node('b', '2'));
      assert.deepEqual((await scribe.journal.since(1)).documents, [
        { kind: 'node', id: 'a', revision: 2, body: null },
        { kind: 'node', id: 'b', revision: 3, body: '2' },
      ]);
    });

    it('is empty for a reader that has seen everything', async (t) => {
      const scribe = new Scribe(await open(t));
      assert.deepEqual(await scribe.journal.since(0), { revision: 0, documents: [], whole: false });
      await scribe.put(node('a'));
      assert.deepEqual(await scribe.journal.since(1), { revision: 1, documents: [], whole: false });
    });

    it('reaches even those whose commits changed no document', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.commit({}, {});
      assert.deepEqual(await scribe.journal.since(0), { revision: 2, documents: [], whole: false });
    });

    it('is whole for readers from before deletions were forgotten, and for no others', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.put(node('a', '1'), node('b', '1'), node('c', '1'));
      await scribe.put(node('a', null));
      await scribe.put(node('b', null));
      await scribe.journal.compact(2);
      const early = await scribe.journal.since(1);
      assert.equal(early.whole, true);
      assert.equal(early.revision, 3);
      assert.deepEqual(early.documents, [{ kind: 'node', id: 'c', revision: 1, body: '1' }]);
      const onTime = await scribe.journal.since(2);
      assert.deepEqual(onTime, {
        revision: 3,
        whole: false,
        documents: [{ kind: 'node', id: 'b', revision: 3, body: null }],
      });
    });

    it('is never lost on readers, however deletions are forgotten', async (t) => {
      const scribe = new Scribe(await open(t));
      const held = [new Map<string, string>()];
      for (let round = 1; round <= 8; round += 1) {
        await scribe.put(node(`n${round}`, '1'), node(`n${round - 3}`, null), node('always', String(round)));
        held.push(new Map(held.at(-1)));
        const reader = held[round] ?? new Map<string, string>();
        apply(reader, await scribe.journal.since(round - 1));
      }
      const current = held[8];
      for (const horizon of [0, 3, 2, 5, 8]) {
        await scribe.journal.compact(horizon);
        for (const [revision, reader] of held.entries()) {
          const copy = new Map(reader);
          apply(copy, await scribe.journal.since(revision));
          assert.deepEqual(copy, current, `a reader at ${revision}, with deletions up to ${horizon} forgotten`);
        }
      }
    });

    it('forgets no further than the newest revision', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.put(node('a'));
      await scribe.journal.compact(1_000);
      await scribe.put(node('a', null));
      assert.deepEqual(await scribe.journal.since(1), {
        revision: 2,
        whole: false,
        documents: [{ kind: 'node', id: 'a', revision: 2, body: null }],
      });
      assert.equal((await scribe.journal.since(0)).whole, true);
    });

    it('forgets any number of deletions', async (t) => {
      const scribe = new Scribe(await open(t));
      const ids = Array.from({ length: 4_500 }, (_, index) => `node-${index}`);
      await scribe.put(...ids.map((id) => node(id)));
      await scribe.put(...ids.map((id) => node(id, null)));
      await scribe.journal.compact(2);
      await scribe.put(node('a'));
      assert.deepEqual((await scribe.journal.since(1)).documents, [{ kind: 'node', id: 'a', revision: 3, body: '{}' }]);
    });

    it('is whole for a reader that stands where the store has never been', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.put(node('a'));
      assert.deepEqual(await scribe.journal.since(7), {
        revision: 1,
        whole: true,
        documents: [{ kind: 'node', id: 'a', revision: 1, body: '{}' }],
      });
    });

    it('is passed to a writer that commits from behind, whole where it has to be', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.put(node('a', '1'));
      await scribe.put(node('a', '2'));
      const received: (News | undefined)[] = [];
      const listen = (after: number) =>
        scribe.journal.commit(after, (missed) => {
          received.push(missed);
          return [];
        });
      assert.equal(await listen(1), 2);
      await scribe.journal.compact(2);
      assert.equal(await listen(1), 2);
      const documents = [{ kind: 'node', id: 'a', revision: 2, body: '2' }];
      assert.deepEqual(received, [
        { revision: 2, whole: false, documents },
        { revision: 2, whole: true, documents },
      ]);
    });

    it('wakes followers after a commit, until they stop following', async (t) => {
      const scribe = new Scribe(await open(t));
      let wakes = 0;
      let others = 0;
      const stop = scribe.journal.follow(() => {
        wakes += 1;
      });
      const stopOther = scribe.journal.follow(() => {
        others += 1;
      });
      await scribe.put(node('a'));
      await eventually('a wake', () => wakes > 0 && others > 0);
      await stop();
      const [wakesBefore, othersBefore] = [wakes, others];
      await scribe.put(node('b'));
      await eventually('a wake of the other follower', () => others > othersBefore);
      assert.equal(wakes, wakesBefore);
      await stopOther();
    });
  });
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Commit, News } from '../../src/index.ts';
import { idsOf, loaded, node, note, Scribe } from '../scribe.ts';
import type { Subject } from './subject.ts';

export function commits({ open, newPlace }: Subject): void {
  describe('commits', () => {
    it('an empty store holds nothing at revision 0', async (t) => {
      const { revision, documents } = await loaded(await open(t));
      assert.equal(revision, 0);
      assert.equal(documents.size, 0);
    });

    it('a committed document is there when the store is opened again', async (t) => {
      const place = await newPlace();
      const first = await open(t, place);
      assert.equal(await new Scribe(first).put(node('a', '{"name":"alpha"}')), 1);
      await first.close();
      const { revision, documents } = await loaded(await open(t, place));
      assert.equal(revision, 1);
      assert.deepEqual([...documents.values()], [{ kind: 'node', id: 'a', revision: 1, body: '{"name":"alpha"}' }]);
    });

    it('each commit of a batch has its own revision, and a document that of its last change', async (t) => {
      const scribe = new Scribe(await open(t));
      const newest = await scribe.commit(
        { changes: [node('a', '1'), node('b', '1')] },
        { changes: [node('a', '2')] },
        { changes: [] },
      );
      assert.equal(newest, 3);
      const { revision, documents } = await loaded(scribe.journal);
      assert.equal(revision, 3);
      assert.deepEqual(documents.get('a'), { kind: 'node', id: 'a', revision: 2, body: '2' });
      assert.deepEqual(documents.get('b'), { kind: 'node', id: 'b', revision: 1, body: '1' });
    });

    it('of several changes to one document in a commit the last counts', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.put(node('a', '1'), node('b', '1'), node('a', null), node('b', null), node('b', '2'));
      const { documents } = await loaded(scribe.journal);
      assert.deepEqual([...documents.values()], [{ kind: 'node', id: 'b', revision: 1, body: '2' }]);
    });

    it('documents of different kinds may share an id', async (t) => {
      const journal = await open(t);
      await new Scribe(journal).put({ kind: 'node', id: 'x', body: '1' }, { kind: 'relay', id: 'x', body: '2' });
      const bodies: string[] = [];
      await journal.load((chunk) => bodies.push(...chunk.map(({ kind, body }) => `${kind} ${body}`)));
      assert.deepEqual(bodies.sort(), ['node 1', 'relay 2']);
    });

    it('a deleted document is gone', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.put(node('a'), node('b'));
      assert.equal(await scribe.put(node('a', null), node('never-there', null)), 2);
      const { documents } = await loaded(scribe.journal);
      assert.deepEqual([...documents.keys()], ['b']);
    });

    it('composing nothing writes nothing', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.put(node('a'));
      assert.equal(await scribe.commit(), 1);
      assert.equal((await loaded(scribe.journal)).revision, 1);
    });

    it('a writer that missed nothing gets no news', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.put(node('a'));
      const received: (News | undefined)[] = [];
      await scribe.journal.commit(1, (news) => {
        received.push(news);
        return [];
      });
      assert.deepEqual(received, [undefined]);
    });

    it('a composer that throws writes nothing, and its error comes back as it is', async (t) => {
      const scribe = new Scribe(await open(t));
      const mistake = new RangeError('no such node');
      const composing = scribe.journal.commit(0, () => {
        throw mistake;
      });
      await assert.rejects(composing, (error) => error === mistake);
      assert.equal((await loaded(scribe.journal)).revision, 0);
      assert.equal(await scribe.put(node('a')), 1);
    });

    it('a commit that skips or repeats a revision is misuse', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.put(node('a'));
      const at = (revision: number): Commit => ({ revision, changes: [node('b')], appends: [] });
      for (const wrong of [[at(1)], [at(3)], [at(2), at(2)], [at(2), at(4)]]) {
        await assert.rejects(
          scribe.journal.commit(1, () => wrong),
          { fault: 'misuse' },
        );
      }
      assert.deepEqual([...(await loaded(scribe.journal)).documents.keys()], ['a']);
    });

    it('a batch with one reused entry id writes nothing at all', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.commit({ changes: [node('a', '1')], appends: [note('e1')] });
      const reused = [
        [
          { changes: [node('a', '2')], appends: [note('e2')] },
          { changes: [node('b')], appends: [note('e1')] },
        ],
        [{ changes: [node('a', '2')], appends: [note('e2'), note('e2')] }],
      ];
      for (const batch of reused) await assert.rejects(scribe.commit(...batch), { fault: 'misuse' });
      const { revision, documents } = await loaded(scribe.journal);
      assert.equal(revision, 1);
      assert.deepEqual([...documents.values()], [{ kind: 'node', id: 'a', revision: 1, body: '1' }]);
      const entries = await scribe.journal.range({ log: 'audit', order: 'oldest_first', limit: 10 });
      assert.deepEqual(idsOf(entries), ['e1']);
      assert.equal(await scribe.commit({ appends: [note('e2')] }), 2);
    });

    it('commits made at the same time through one handle take turns', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.put(node('counter', '0'));
      const increment = () =>
        scribe.journal.commit(1, (news) => {
          const counter = news?.documents.find(({ id }) => id === 'counter')?.body ?? '0';
          const revision = (news?.revision ?? 1) + 1;
          return [{ revision, changes: [node('counter', String(Number(counter) + 1))], appends: [] }];
        });
      const revisions = await Promise.all(Array.from({ length: 30 }, increment));
      assert.deepEqual(
        revisions,
        Array.from({ length: 30 }, (_, index) => index + 2),
      );
      assert.equal((await loaded(scribe.journal)).documents.get('counter')?.body, '30');
    });

    it('what is loaded is the state of one moment, however many documents there are', async (t) => {
      const scribe = new Scribe(await open(t));
      const ids = Array.from({ length: 12_000 }, (_, index) => `node-${index}`);
      await scribe.put(...ids.map((id) => node(id)));
      let meanwhile: Promise<unknown> | undefined;
      const seen = new Set<string>();
      const revision = await scribe.journal.load((chunk) => {
        meanwhile ??= scribe.put(...ids.slice(-500).map((id) => node(id, null)), node('late'));
        for (const document of chunk) seen.add(`${document.id}@${document.revision}`);
      });
      await meanwhile;
      assert.equal(revision, 1);
      assert.deepEqual(seen, new Set(ids.map((id) => `${id}@1`)));
    });

    it('what is loaded is the state of the revision that is named, whatever is committed meanwhile', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.put(node('last', '1'));
      for (let round = 2; round <= 40; round += 1) {
        const [state] = await Promise.all([loaded(scribe.journal), scribe.put(node('last', String(round)))]);
        assert.equal(state.documents.get('last')?.body, String(state.revision));
      }
    });
  });
}

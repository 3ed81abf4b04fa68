import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loaded, node, Scribe } from '../scribe.ts';
import type { Subject } from './subject.ts';

export function closing({ open, newPlace }: Subject): void {
  describe('a store', () => {
    it('that can be read and written says so', async (t) => {
      const journal = await open(t);
      await journal.ping();
      assert.equal((await journal.since(0)).revision, 0);
    });

    it('that is closed has finished what was begun', async (t) => {
      const place = await newPlace();
      // Observations wait for an hour for others to share a write with, and not when the store is closed.
      const options = { ...place.options, observing: { flush_after_ms: 3_600_000 } };
      const scribe = new Scribe(await open(t, { ...place, options }));
      const revisions = Array.from({ length: 20 }, (_, index) => index + 1);
      const committing = revisions.map((revision) =>
        scribe.journal.commit(revision - 1, () => [{ revision, changes: [node(`n${revision}`)], appends: [] }]),
      );
      const marking = scribe.journal.mark([{ key: 'a', at_ms: 1, count: 0, body: null }]);
      const observing = scribe.journal.observe([{ log: 'telemetry', key: 'a', at_ms: 1, body: '' }]);
      await scribe.journal.close();
      assert.deepEqual(await Promise.all(committing), revisions);
      await Promise.all([marking, observing]);
      const reopened = await open(t, place);
      assert.equal((await reopened.observations({ log: 'telemetry', order: 'oldest_first', limit: 9 })).length, 1);
      const { revision, documents } = await loaded(reopened);
      assert.equal(revision, 20);
      assert.equal(documents.size, 20);
    });

    it('that is closed does nothing more', async (t) => {
      const { journal } = new Scribe(await open(t));
      await journal.close();
      await journal.close();
      let composed = false;
      const compose = () => {
        composed = true;
        return [];
      };
      const refused = { fault: 'unavailable' };
      await assert.rejects(journal.commit(0, compose), refused);
      await assert.rejects(
        journal.load(() => undefined),
        refused,
      );
      await assert.rejects(journal.since(0), refused);
      await assert.rejects(journal.range({ log: 'audit', order: 'oldest_first', limit: 1 }), refused);
      await assert.rejects(journal.entry('audit', 'e1'), refused);
      await assert.rejects(journal.ends('audit'), refused);
      await assert.rejects(journal.trim('audit', 1), refused);
      await assert.rejects(journal.compact(1), refused);
      await assert.rejects(journal.mark([]), refused);
      await assert.rejects(journal.marks(0), refused);
      await assert.rejects(journal.observe([]), refused);
      await assert.rejects(journal.observations({ log: 'waf', order: 'oldest_first', limit: 1 }), refused);
      await assert.rejects(journal.prune('waf', {}), refused);
      await assert.rejects(journal.ping(), refused);
      assert.equal(composed, false);
      const calls: string[] = [];
      const leadership = journal.lead('timers', { gained: () => calls.push('gained'), lost: () => calls.push('lost') });
      const stop = journal.follow(() => undefined);
      await stop();
      await leadership.release();
      assert.deepEqual([leadership.leading, calls], [false, []]);
    });
  });
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CHAIN_START, chainHash } from '@meshwork/contract/chain';
import type { Journal } from '../../src/index.ts';
import { idsOf, note, Scribe } from '../scribe.ts';
import type { Subject } from './subject.ts';

async function rest(journal: Journal, log = 'audit'): Promise<string[]> {
  return idsOf(await journal.range({ log, order: 'oldest_first', limit: 10_000 }));
}

export function trimming({ open }: Subject): void {
  describe('trimming a log', () => {
    it('removes what is before a time, and remembers where the chain goes on', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.note(note('e1', { at_ms: 10 }), note('e2', { at_ms: 20 }), note('e3', { at_ms: 30 }));
      const second = await scribe.journal.entry('audit', 'e2');
      const head = await scribe.journal.ends('audit');
      assert.equal(await scribe.journal.trim('audit', 30), 2);
      assert.deepEqual(await rest(scribe.journal), ['e3']);
      assert.deepEqual(await scribe.journal.ends('audit'), { ...head, base_seq: 2, base_hash: second?.hash });
      const third = await scribe.journal.entry('audit', 'e3');
      assert.equal(third?.seq, 3);
      const link = { seq: 3, revision: third?.revision ?? 0, body: third?.body ?? '' };
      assert.equal(third?.hash, chainHash({ previous: second?.hash ?? '', ...link }));
      assert.equal(await scribe.journal.trim('audit', 30), 0);
    });

    it('leaves a log that was emptied to go on where it was', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.note(note('e1', { at_ms: 10 }), note('e2', { at_ms: 20 }));
      const { head_hash } = await scribe.journal.ends('audit');
      assert.equal(await scribe.journal.trim('audit', 1_000), 2);
      assert.deepEqual(await scribe.journal.ends('audit'), {
        base_seq: 2,
        base_hash: head_hash,
        head_seq: 2,
        head_hash,
      });
      await scribe.note(note('e3'));
      const entry = await scribe.journal.entry('audit', 'e3');
      assert.equal(entry?.seq, 3);
      assert.equal(entry?.hash, chainHash({ previous: head_hash, seq: 3, revision: 2, body: entry?.body ?? '' }));
    });

    it('stops at the first entry that has to stay, so that no gap appears', async (t) => {
      const scribe = new Scribe(await open(t));
      const times = [10, 50, 20, 60];
      await scribe.note(...times.map((at_ms, index) => note(`e${index + 1}`, { at_ms })));
      assert.equal(await scribe.journal.trim('audit', 40), 1);
      assert.deepEqual(await rest(scribe.journal), ['e2', 'e3', 'e4']);
    });

    it('touches no other log, and no document', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.note(note('e1'), note('e1', { log: 'events', chained: false }));
      assert.equal(await scribe.journal.trim('events', 1), 1);
      assert.deepEqual(await rest(scribe.journal), ['e1']);
      const ends = await scribe.journal.ends('events');
      assert.deepEqual(ends, { base_seq: 1, base_hash: CHAIN_START, head_seq: 1, head_hash: CHAIN_START });
      assert.equal(await scribe.journal.trim('nowhere', 1), 0);
      assert.equal((await scribe.journal.since(0)).revision, 1);
    });

    it('removes any number of entries', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.note(...Array.from({ length: 4_500 }, (_, index) => note(`e${index + 1}`, { at_ms: index + 1 })));
      assert.equal(await scribe.journal.trim('audit', 4_400), 4_399);
      assert.equal((await rest(scribe.journal)).length, 101);
      assert.equal((await scribe.journal.ends('audit')).base_seq, 4_399);
    });

    it('lets go of the ids it removed', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.note(note('e1'));
      await scribe.journal.trim('audit', 1);
      await scribe.note(note('e1'));
      assert.equal((await scribe.journal.entry('audit', 'e1'))?.seq, 2);
    });
  });
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Journal,
  NAME_LIMIT,
  type NewObservation,
  type Observation,
  type ObservationQuery,
} from '../../src/index.ts';
import { node, Scribe } from '../scribe.ts';
import type { Subject } from './subject.ts';

const DAY_MS = 86_400_000;

function seen(key: string, at_ms: number, rest: Partial<Observation> = {}): Observation {
  return { log: 'telemetry', key, at_ms, id: 'a', body: `${key} at ${at_ms}`, ...rest };
}

/** Everything in a log, oldest first. */
function all(journal: Journal, rest: Partial<ObservationQuery> = {}): Promise<readonly Observation[]> {
  return journal.observations({ log: 'telemetry', order: 'oldest_first', limit: 100_000, ...rest });
}

export function observations({ open, newPlace }: Subject): void {
  describe('observations', () => {
    it('are there when the call returns, and outlive the process', async (t) => {
      const place = await newPlace();
      const journal = await open(t, place);
      const given = [seen('a', 1), seen('a', 2, { body: '{"é":"🕸️"}' }), seen('b', 2, { body: '' })];
      await journal.observe(given);
      assert.deepEqual(await all(journal), given);
      await journal.close();
      assert.deepEqual(await all(await open(t, place)), given);
    });

    it('are in the order of time, key and id, whatever order they came in', async (t) => {
      const journal = await open(t);
      const ordered = [
        seen('b', -DAY_MS),
        seen('a', 5),
        seen('a', 5, { id: 'b' }),
        seen('b', 5),
        // By bytes of UTF-8, in which this sign of another plane comes after U+FF5E.
        seen('～', 5),
        seen('𐍈', 5),
        seen('a', 4_000 * DAY_MS),
      ];
      await journal.observe(ordered.toReversed());
      assert.deepEqual(await all(journal), ordered);
      assert.deepEqual(await all(journal, { order: 'newest_first' }), ordered.toReversed());
      const keys = ['𐍈', '～', 'b', 'a'];
      assert.deepEqual(await all(journal, { keys }), ordered);
      assert.deepEqual(await all(journal, { keys, order: 'newest_first' }), ordered.toReversed());
    });

    it('are found by key, whenever they are', async (t) => {
      const journal = await open(t);
      const [least, most] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
      const times = [least, -DAY_MS, -600_001, -600_000, -1, 0, 1, 599_999, 600_000, DAY_MS, most];
      const given = times.flatMap((at_ms) => [seen('a', at_ms), seen('b', at_ms)]);
      await journal.observe(given);
      const ofA = given.filter(({ key }) => key === 'a');
      assert.deepEqual(await all(journal, { keys: ['a'] }), ofA);
      assert.deepEqual(await all(journal, { keys: ['a'], order: 'newest_first' }), ofA.toReversed());
      assert.deepEqual(await all(journal, { keys: ['a', 'nowhere', 'b', 'a'] }), given);
      assert.deepEqual(await all(journal, { keys: ['nowhere'] }), []);
      assert.deepEqual(await all(journal, { keys: [] }), []);
      for (const at_ms of times) {
        const at = { from_ms: at_ms, ...(at_ms < most && { to_ms: at_ms + 1 }) };
        assert.deepEqual(await all(journal, { keys: ['a'], ...at }), [seen('a', at_ms)]);
        assert.deepEqual(await all(journal, at), [seen('a', at_ms), seen('b', at_ms)]);
      }
    });

    it('of a key that is seldom seen are found in a long history', async (t) => {
      const journal = await open(t);
      const hours = Array.from({ length: 2_500 }, (_, hour) => seen('often', hour * 3_600_000));
      const seldom = [seen('seldom', 7), seen('seldom', 2_499 * 3_600_000)];
      await journal.observe([...hours, ...seldom]);
      assert.deepEqual(await all(journal, { keys: ['seldom'] }), seldom);
      assert.deepEqual(await all(journal, { keys: ['seldom'], order: 'newest_first', limit: 1 }), seldom.slice(1));
      assert.deepEqual(await all(journal, { keys: ['seldom'], order: 'newest_first' }), seldom.toReversed());
    });

    it('given twice with their ids are there once, and the first stays', async (t) => {
      const journal = await open(t);
      await journal.observe([seen('a', 1, { body: 'first' }), seen('a', 1, { body: 'in the same call' })]);
      await journal.observe([seen('a', 1, { body: 'again' }), seen('a', 1, { id: 'b' }), seen('a', 2)]);
      const found = await all(journal);
      assert.deepEqual(
        found.map(({ at_ms, id, body }) => [at_ms, id, body]),
        [
          [1, 'a', 'first'],
          [1, 'b', 'a at 1'],
          [2, 'a', 'a at 2'],
        ],
      );
    });

    it('without an id are all kept, in the order they came', async (t) => {
      const journal = await open(t);
      const bare = (body: string): NewObservation => ({ log: 'telemetry', key: 'a', at_ms: 1, body });
      const bodies = Array.from({ length: 50 }, (_, index) => String(index));
      await journal.observe(bodies.slice(0, 25).map(bare));
      await journal.observe(bodies.slice(25).map(bare));
      const found = await all(journal);
      assert.deepEqual(
        found.map(({ body }) => body),
        bodies,
      );
      assert.equal(new Set(found.map(({ id }) => id)).size, 50);
    });

    it('of any number share writes, and each call resolves when its own are there', async (t) => {
      const journal = await open(t);
      const calls = Array.from({ length: 40 }, (_, call) =>
        Array.from({ length: call === 7 ? 12_000 : 100 }, (__, index) => seen(`k${call}`, index)),
      );
      await Promise.all(
        calls.map(async (call, index) => {
          await journal.observe(call);
          assert.equal((await all(journal, { keys: [`k${index}`] })).length, call.length);
        }),
      );
      const written = calls.reduce((sum, { length }) => sum + length, 0);
      assert.deepEqual(journal.observing, { waiting: 0, written, refused: 0 });
      assert.equal((await all(journal)).length, written);
    });

    it('are no commits, and share no names with the logs of commits', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.put(node('a'));
      await scribe.journal.observe([seen('a', 1, { log: 'audit' })]);
      await scribe.journal.observe([]);
      assert.equal((await scribe.journal.since(0)).revision, 1);
      assert.equal((await scribe.journal.ends('audit')).head_seq, 0);
      assert.deepEqual(await scribe.journal.range({ log: 'audit', order: 'oldest_first', limit: 5 }), []);
    });

    it('that break the rules are misuse, and those of others are written', async (t) => {
      const journal = await open(t);
      const wrong: readonly Partial<Observation>[] = [
        { log: '' },
        { log: 'x'.repeat(101) },
        { key: '' },
        { key: 'x'.repeat(NAME_LIMIT + 1) },
        { id: '' },
        { id: 'x'.repeat(101) },
        { at_ms: 0.5 },
        { at_ms: Number.NaN },
        { body: 'a raw \0 NUL' },
        { body: 'half a pair \ud83d' },
        { body: 'x'.repeat(65_537) },
      ];
      const fine = journal.observe([seen('fine', 1)]);
      for (const rest of wrong) {
        await assert.rejects(journal.observe([seen('a', 1), seen('b', 1, rest)]), { fault: 'misuse' });
      }
      await fine;
      assert.deepEqual(await all(journal), [seen('fine', 1)]);
      for (const limit of [0, 1.5]) await assert.rejects(all(journal, { limit }), { fault: 'misuse' });
      for (const from_ms of [0.5, Number.NaN]) await assert.rejects(all(journal, { from_ms }), { fault: 'misuse' });
      await assert.rejects(journal.prune('telemetry', { most: -1 }), { fault: 'misuse' });
      await assert.rejects(journal.prune('telemetry', { before_ms: 0.5 }), { fault: 'misuse' });
    });

    it('may have the longest names and bodies, and nothing is found under names that none can have', async (t) => {
      const journal = await open(t);
      // Three bytes a character.
      const [log, key, id] = ['界'.repeat(100), '界'.repeat(NAME_LIMIT), '界'.repeat(100)];
      const long = seen(key, 1, { log, id, body: '界'.repeat(65_536) });
      await journal.observe([long]);
      assert.deepEqual(await all(journal, { log, keys: [key] }), [long]);
      assert.deepEqual(await all(journal, { log, after: { at_ms: 1, key, id: '' } }), [long]);
      for (const name of ['', '\0', '\ud83d', 'x'.repeat(1_000)]) {
        assert.deepEqual(await all(journal, { log: name }), []);
        assert.deepEqual(await all(journal, { log, keys: [name] }), []);
        assert.equal(await journal.prune(name, { most: 0 }), 0);
      }
    });
  });
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CHAIN_START, chainHash } from '@meshwork/contract/chain';
import type { Append, Journal, LogQuery } from '../../src/index.ts';
import { idsOf, note, Scribe } from '../scribe.ts';
import type { Subject } from './subject.ts';

/** Ten entries of mixed authors; their times run backwards in the middle, as clocks do. */
const TIMES = [100, 110, 120, 90, 95, 130, 140, 150, 160, 170];
const MIXED = TIMES.map((at_ms, index): Append => {
  const actor = index % 2 === 0 ? 'ann' : 'bob';
  const action = index % 3 === 0 ? 'node.update' : null;
  const target = index < 5 ? 'node_a' : 'node_b';
  return note(`e${index + 1}`, { at_ms, actor, action, target });
});

const FILTERS: readonly Partial<LogQuery>[] = [
  {},
  { actor: 'ann' },
  { action: 'node.update' },
  { target: 'node_b' },
  { actor: 'bob', target: 'node_a' },
  { actor: 'ann', action: 'node.update', target: 'node_b' },
  { from_ms: 120 },
  { to_ms: 120 },
  { from_ms: 95, to_ms: 130 },
  { from_ms: 100, to_ms: 150, actor: 'ann' },
  { from_ms: 171 },
  { from_ms: 130, to_ms: 130 },
  { actor: 'unknown' },
];

function matches(append: Append, filter: Partial<LogQuery>): boolean {
  return (
    (filter.actor === undefined || append.actor === filter.actor) &&
    (filter.action === undefined || append.action === filter.action) &&
    (filter.target === undefined || append.target === filter.target) &&
    (filter.from_ms === undefined || append.at_ms >= filter.from_ms) &&
    (filter.to_ms === undefined || append.at_ms < filter.to_ms)
  );
}

/** Follows the pages to the end. */
async function everyPage(journal: Journal, query: LogQuery): Promise<string[]> {
  const ids: string[] = [];
  let after = query.after_seq;
  for (;;) {
    const page = await journal.range({ ...query, ...(after !== undefined && { after_seq: after }) });
    assert.ok(page.length <= query.limit);
    ids.push(...idsOf(page));
    after = page.at(-1)?.seq;
    if (after === undefined) return ids;
  }
}

export function logs({ open }: Subject): void {
  describe('logs', () => {
    it('number their entries without gaps, each log for itself', async (t) => {
      const scribe = new Scribe(await open(t));
      const event = (id: string) => note(id, { log: 'events', chained: false });
      await scribe.note(note('e1'), event('e1'), note('e2'));
      await assert.rejects(scribe.note(note('lost'), note('e1')), { fault: 'misuse' });
      await scribe.note(event('e2'), note('e3'));
      const places = async (log: string) => {
        const entries = await scribe.journal.range({ log, order: 'oldest_first', limit: 10 });
        return entries.map(({ id, seq, revision }) => [id, seq, revision]);
      };
      assert.deepEqual(await places('audit'), [
        ['e1', 1, 1],
        ['e2', 2, 1],
        ['e3', 3, 2],
      ]);
      assert.deepEqual(await places('events'), [
        ['e1', 1, 1],
        ['e2', 2, 2],
      ]);
    });

    it('give entries back with all their labels', async (t) => {
      const scribe = new Scribe(await open(t));
      const labels = { at_ms: 1_700_000_000_000, actor: 'token_x', action: 'node.update', target: 'node_y' };
      await scribe.note(note('e1', { ...labels, log: 'events', chained: false, body: '{"é":1}' }));
      const entry = await scribe.journal.entry('events', 'e1');
      assert.deepEqual(entry, {
        log: 'events',
        seq: 1,
        id: 'e1',
        ...labels,
        revision: 1,
        body: '{"é":1}',
        hash: null,
      });
      const page = await scribe.journal.range({ log: 'events', order: 'newest_first', limit: 1 });
      assert.deepEqual(page, [entry]);
      assert.equal(await scribe.journal.entry('events', 'e2'), undefined);
      assert.equal(await scribe.journal.entry('audit', 'e1'), undefined);
    });

    it('chain their entries so that anyone can recompute it', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.commit({ appends: [note('e1'), note('e2')] }, { appends: [note('e3')] });
      await scribe.note(note('e4', { body: '{"🕸️":"\\u0000"}' }));
      const entries = await scribe.journal.range({ log: 'audit', order: 'oldest_first', limit: 10 });
      let previous = CHAIN_START;
      for (const { seq, revision, body, hash } of entries) {
        assert.equal(hash, chainHash({ previous, seq, revision, body }));
        previous = hash;
      }
      assert.deepEqual(
        entries.map(({ revision }) => revision),
        [1, 1, 2, 3],
      );
      assert.deepEqual(await scribe.journal.ends('audit'), {
        base_seq: 0,
        base_hash: CHAIN_START,
        head_seq: 4,
        head_hash: previous,
      });
    });

    it('are chained in whole or not at all', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.note(note('e1'), note('e1', { log: 'events', chained: false }));
      await assert.rejects(scribe.note(note('e2', { chained: false })), { fault: 'misuse' });
      await assert.rejects(scribe.note(note('e2', { log: 'events' })), { fault: 'misuse' });
      await assert.rejects(scribe.note(note('e1', { log: 'new' }), note('e2', { log: 'new', chained: false })), {
        fault: 'misuse',
      });
      assert.equal((await scribe.journal.ends('new')).head_seq, 0);
    });

    it('that are not chained, or not there, end without a hash', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.note(note('e1', { log: 'events', chained: false }));
      const none = { base_seq: 0, base_hash: CHAIN_START, head_hash: CHAIN_START };
      assert.deepEqual(await scribe.journal.ends('events'), { ...none, head_seq: 1 });
      assert.deepEqual(await scribe.journal.ends('nowhere'), { ...none, head_seq: 0 });
    });

    it('answer every filter in both orders, whole and page by page', async (t) => {
      const scribe = new Scribe(await open(t));
      await scribe.note(...MIXED, note('other', { log: 'events', at_ms: 120, actor: 'ann' }));
      for (const filter of FILTERS) {
        const expected = idsOf(MIXED.filter((append) => matches(append, filter)));
        const forward: LogQuery = { log: 'audit', order: 'oldest_first', limit: 100, ...filter };
        const backward: LogQuery = { ...forward, order: 'newest_first' };
        const asked = JSON.stringify(filter);
        assert.deepEqual(idsOf(await scribe.journal.range(forward)), expected, asked);
        assert.deepEqual(idsOf(await scribe.journal.range(backward)), expected.toReversed(), asked);
        assert.deepEqual(await everyPage(scribe.journal, { ...forward, limit: 2 }), expected, asked);
        assert.deepEqual(await everyPage(scribe.journal, { ...backward, limit: 2 }), expected.toReversed(), asked);
      }
    });

    it('go on after a given entry, in the asked order', async (t) => {
      const { journal, ...scribe } = await mixed(new Scribe(await open(t)));
      assert.equal(scribe.revision, 1);
      const query = { log: 'audit', limit: 100, after_seq: 8 } as const;
      assert.deepEqual(idsOf(await journal.range({ ...query, order: 'oldest_first' })), ['e9', 'e10']);
      const older = await journal.range({ ...query, order: 'newest_first' });
      assert.deepEqual(idsOf(older), ['e7', 'e6', 'e5', 'e4', 'e3', 'e2', 'e1']);
    });

    it('find a time window wherever it lies in a long log', async (t) => {
      const scribe = new Scribe(await open(t));
      const many = Array.from({ length: 20_500 }, (_, index) => note(`e${index + 1}`, { at_ms: index + 1, body: '' }));
      await scribe.note(...many);
      const ask = async (order: LogQuery['order'], from_ms: number, to_ms?: number) =>
        idsOf(
          await scribe.journal.range({ log: 'audit', order, limit: 2, from_ms, ...(to_ms !== undefined && { to_ms }) }),
        );
      assert.deepEqual(await ask('newest_first', 50, 60), ['e59', 'e58']);
      assert.deepEqual(await ask('oldest_first', 20_000), ['e20000', 'e20001']);
      assert.deepEqual(await ask('newest_first', 2), ['e20500', 'e20499']);
      assert.deepEqual(await ask('oldest_first', 2, 20_400), ['e2', 'e3']);
      assert.deepEqual(await ask('newest_first', 2, 20_400), ['e20399', 'e20398']);
    });

    it('have nothing under names that no entry can have', async (t) => {
      const { journal } = await mixed(new Scribe(await open(t)));
      for (const name of ['', '\0', '\ud83d', 'x'.repeat(1_000)]) {
        for (const asked of [{ log: name }, { actor: name }, { action: name }, { target: name }]) {
          assert.deepEqual(await journal.range({ log: 'audit', order: 'oldest_first', limit: 5, ...asked }), []);
        }
        assert.equal(await journal.entry('audit', name), undefined);
        assert.equal((await journal.ends(name)).head_seq, 0);
      }
    });

    it('are asked for a whole, positive number of entries', async (t) => {
      const { journal } = await mixed(new Scribe(await open(t)));
      for (const limit of [0, -1, 1.5, Number.NaN]) {
        await assert.rejects(journal.range({ log: 'audit', order: 'oldest_first', limit }), { fault: 'misuse' });
      }
    });
  });
}

async function mixed(scribe: Scribe): Promise<Scribe> {
  await scribe.note(...MIXED);
  return scribe;
}

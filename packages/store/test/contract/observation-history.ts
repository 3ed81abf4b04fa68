import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Journal, Observation, ObservationQuery, ObservationRetention } from '../../src/index.ts';
import type { Subject } from './subject.ts';

/** What the words of `journal.ts` say, without a disk. */
class Model {
  #kept: Observation[] = [];

  observe(observations: readonly Observation[]): void {
    for (const observation of observations) {
      if (!this.#kept.some((kept) => kept.log === observation.log && byPlace(kept, observation) === 0)) {
        this.#kept.push(observation);
      }
    }
    this.#kept.sort(byPlace);
  }

  prune(
    log: string,
    { before_ms = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }: ObservationRetention,
  ): number {
    const before = this.#kept.length;
    const young = this.#kept.filter((kept) => kept.log === log && kept.at_ms >= before_ms);
    const stay = new Set(young.slice(Math.max(0, young.length - most)));
    this.#kept = this.#kept.filter((kept) => kept.log !== log || stay.has(kept));
    return before - this.#kept.length;
  }

  range({ log, order, limit, keys, from_ms, to_ms, after }: ObservationQuery): readonly Observation[] {
    const found = this.#kept.filter(
      (kept) =>
        kept.log === log &&
        (keys === undefined || keys.includes(kept.key)) &&
        kept.at_ms >= (from_ms ?? kept.at_ms) &&
        (to_ms === undefined || kept.at_ms < to_ms),
    );
    const asked = order === 'oldest_first' ? found : found.toReversed();
    const sign = order === 'oldest_first' ? 1 : -1;
    return asked.filter((kept) => after === undefined || sign * byPlace(kept, after) > 0).slice(0, limit);
  }
}

function byPlace(a: Pick<Observation, 'at_ms' | 'key' | 'id'>, b: Pick<Observation, 'at_ms' | 'key' | 'id'>): number {
  return a.at_ms - b.at_ms || compare(a.key, b.key) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const aLog = fc.constantFrom('one', 'two');
const aKey = fc.constantFrom('a', 'b', 'c', '𐍈');
const anId = fc.constantFrom('1', '2', '～');
/** Few of them, so that they meet; on both sides of zero, and of the ten minutes by which one store sorts them. */
const aTime = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -3, max: 3 }).map((tens) => tens * 600_000) },
  { weight: 6, arbitrary: fc.integer({ min: -1_500_000, max: 1_500_000 }) },
  { weight: 1, arbitrary: fc.maxSafeInteger() },
);
const plain = { noNullPrototype: true };
const anObservation: fc.Arbitrary<Observation> = fc.record(
  { log: aLog, key: aKey, at_ms: aTime, id: anId, body: fc.string({ unit: 'grapheme-ascii', maxLength: 4 }) },
  plain,
);
const aQuery: fc.Arbitrary<ObservationQuery> = fc.record(
  {
    log: aLog,
    order: fc.constantFrom('oldest_first' as const, 'newest_first' as const),
    limit: fc.integer({ min: 1, max: 30 }),
    keys: fc.array(aKey, { minLength: 0, maxLength: 3 }),
    from_ms: aTime,
    to_ms: aTime,
    after: fc.record({ at_ms: aTime, key: aKey, id: anId }, plain),
  },
  { ...plain, requiredKeys: ['log', 'order', 'limit'] },
);
const aRetention: fc.Arbitrary<ObservationRetention> = fc.record(
  { before_ms: aTime, most: fc.nat(20) },
  { ...plain, requiredKeys: [] },
);
const aStep = fc.record(
  {
    observe: fc.array(fc.array(anObservation, { maxLength: 12 }), { maxLength: 3 }),
    queries: fc.array(aQuery, { maxLength: 4 }),
    prune: fc.option(fc.tuple(aLog, aRetention), { freq: 2 }),
  },
  plain,
);

export function observationHistory({ open }: Subject): void {
  describe('a history of observations', () => {
    it('answers like a plain list, whatever is added, removed and queried', async (t) => {
      const journal = await open(t);
      await fc.assert(
        fc.asyncProperty(fc.array(aStep, { maxLength: 8, size: 'max' }), async (steps) => {
          for (const log of ['one', 'two']) await journal.prune(log, { most: 0 });
          const model = new Model();
          for (const { observe, queries, prune } of steps) {
            await Promise.all(observe.map((observations) => journal.observe(observations)));
            for (const observations of observe) model.observe(observations);
            if (prune !== null) assert.equal(await journal.prune(...prune), model.prune(...prune));
            for (const query of queries) assert.deepEqual(await journal.observations(query), model.range(query));
          }
          await checkPages(journal, model);
        }),
        { numRuns: 40 },
      );
    });
  });
}

/** Follows the pages to the end, in both orders. */
async function checkPages(journal: Journal, model: Model): Promise<void> {
  for (const order of ['oldest_first', 'newest_first'] as const) {
    for (const keys of [undefined, ['a', 'c']]) {
      const query: ObservationQuery = { log: 'one', order, limit: 1_000, ...(keys && { keys }) };
      const found: Observation[] = [];
      for (;;) {
        const after = found.at(-1);
        const page = await journal.observations({ ...query, limit: 3, ...(after && { after }) });
        found.push(...page);
        if (page.length < 3) break;
      }
      assert.deepEqual(found, model.range(query));
    }
  }
}

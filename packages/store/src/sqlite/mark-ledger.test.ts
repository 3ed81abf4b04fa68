import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Mark } from '../journal.ts';
import { MarkLedger } from './mark-ledger.ts';

/** What a store does with batches, in a few lines. */
class Store {
  readonly ledger = new MarkLedger();
  readonly batches = new Map<number, readonly Mark[]>();
  readonly rows = new Map<string, Mark>();
  rowsWritten = 0;
  #stamp = 0;

  mark(marks: readonly Mark[]): void {
    const prepared = this.ledger.prepare(marks);
    if (prepared === null) return;
    const { text, settled } = prepared.batch;
    this.batches.set(++this.#stamp, JSON.parse(text));
    for (const mark of settled?.marks ?? []) {
      this.rowsWritten++;
      if (mark.at_ms >= (this.rows.get(mark.key)?.at_ms ?? 0)) this.rows.set(mark.key, mark);
    }
    if (settled !== null) this.batches.delete(settled.stamp);
    this.ledger.wrote(prepared.marks, this.#stamp, settled);
  }

  get latest(): ReadonlyMap<string, number> {
    const latest = new Map<string, number>();
    for (const { key, at_ms } of [...this.rows.values(), ...[...this.batches.values()].flat()]) {
      latest.set(key, Math.max(at_ms, latest.get(key) ?? 0));
    }
    return latest;
  }
}

describe('the ledger of marks', () => {
  it('never loses the latest mark of a key, whatever is marked when', () => {
    const some = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat(500)), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(some, { minLength: 100, maxLength: 300 }), (rounds) => {
        const store = new Store();
        const expected = new Map<string, number>();
        for (const round of rounds) {
          const marks = [...new Map(round)].map(([key, at_ms]) => ({ key, at_ms, body: null }));
          store.mark(marks);
          for (const { key, at_ms } of marks) expected.set(key, Math.max(at_ms, expected.get(key) ?? 0));
        }
        assert.deepEqual(new Map([...store.latest].sort()), new Map([...expected].sort()));
        assert.ok(store.batches.size <= 65);
      }),
      { numRuns: 50 },
    );
  });

  it('writes no row for what is seen again and again', () => {
    const store = new Store();
    for (let at_ms = 1; at_ms < 500; at_ms++) store.mark([{ key: 'often', at_ms, body: null }]);
    assert.equal(store.rowsWritten, 0);
  });
});

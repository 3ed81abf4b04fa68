import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { temporaryFolders } from '../../test/temporary-folders.ts';
import type { Mark } from '../journal.ts';
import { openToWrite, type WritableStore } from './database.ts';
import { MarkLedger } from './mark-ledger.ts';
import { Reader } from './reader.ts';
import { SqliteWriter } from './writer.ts';

const KEPT = 3;

/** The ledger over a file, as in `sqlite-journal.ts`, without the threads. */
class Store {
  readonly #file: string;
  #open: {
    readonly written: WritableStore;
    readonly writer: SqliteWriter;
    readonly reader: Reader;
    readonly ledger: MarkLedger;
  };

  constructor(t: TestContext, file: string) {
    this.#file = file;
    this.#open = this.#reopen();
    t.after(() => this.#close());
  }

  get db(): DatabaseSync {
    return this.#open.written.db;
  }

  mark(marks: readonly Mark[]): void {
    const { ledger, writer } = this.#open;
    const batch = ledger.prepare(marks);
    if (batch !== null) ledger.wrote(batch, writer.mark(batch));
  }

  /** As when the disk is full. */
  failToMark(marks: readonly Mark[]): void {
    this.#open.ledger.prepare(marks);
  }

  /** Another process finds what this one had committed, as after a kill: the ledger writes nothing at its end. */
  startAnew(): void {
    this.#close();
    this.#open = this.#reopen();
  }

  marks(since = 0): Map<string, Mark> {
    return byKey(this.#open.reader.marks(since).marks);
  }

  stamp(): number {
    return this.#open.reader.marks(0).stamp;
  }

  ask(sql: string): unknown {
    return this.db.prepare(sql).get()?.answer;
  }

  #reopen() {
    const written = openToWrite(this.#file, {});
    const writer = new SqliteWriter(written.db);
    return { written, writer, reader: new Reader(this.#file), ledger: new MarkLedger(writer.settleMarks(), KEPT) };
  }

  #close(): void {
    const { reader, written } = this.#open;
    reader.close();
    written.db.close();
    written.claim.release();
  }
}

function byKey(marks: Iterable<Mark>): Map<string, Mark> {
  return new Map([...marks].map((mark) => [mark.key, mark] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What the words of `journal.ts` say, without a disk. */
class Model {
  readonly latest = new Map<string, Mark>();
  readonly changed = new Set<string>();

  mark(marks: readonly Mark[]): void {
    for (const mark of marks) {
      if (mark.at_ms < (this.latest.get(mark.key)?.at_ms ?? mark.at_ms)) continue;
      this.latest.set(mark.key, mark);
      this.changed.add(mark.key);
    }
  }
}

/** Relative to the step, most of them: time passes, and some are late. */
const near = { weight: 50, arbitrary: fc.integer({ min: -25, max: 10 }) };
const far = { weight: 1, arbitrary: fc.maxSafeInteger() };
const aMark: fc.Arbitrary<Mark> = fc.record(
  {
    key: fc.constantFrom('a', 'b', 'c', 'd e', 'two\nlines'),
    at_ms: fc.oneof(near, far),
    count: fc.nat(9),
    body: fc.constantFrom('x', 'x', 'x', 'y', '2 b\n3 1 c', null),
  },
  { noNullPrototype: true },
);
const someMarks = fc.array(aMark, { maxLength: 4 });
const aStep = fc.oneof(
  { weight: 8, arbitrary: fc.record({ does: fc.constant('mark' as const), marks: someMarks }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('failToMark' as const), marks: someMarks }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('startAnew' as const) }) },
);

function later(mark: Mark, after_ms: number): Mark {
  const at_ms = mark.at_ms + after_ms;
  return Number.isSafeInteger(at_ms) ? { ...mark, at_ms } : mark;
}

describe('the ledger of marks', () => {
  const newFolder = temporaryFolders();
  const newFile = async () => join(await newFolder(), 'mesh.db');

  it('never loses the latest mark of a key nor its body, whatever is marked when', async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { maxLength: 40, size: 'max' }), async (steps) => {
        const store = new Store(t, await newFile());
        const model = new Model();
        for (const [index, step] of steps.entries()) {
          const since = store.stamp();
          model.changed.clear();
          const marks = 'marks' in step ? step.marks.map((mark) => later(mark, 10 * index)) : [];
          store[step.does](marks);
          if (step.does === 'mark') model.mark(marks);
          assert.deepEqual(store.marks(), byKey(model.latest.values()));
          const changed = [...model.changed].flatMap((key) => model.latest.get(key) ?? []);
          assert.deepEqual(store.marks(since), byKey(changed));
          assert.ok(Number(store.ask('SELECT count(*) AS answer FROM mark_batches')) <= KEPT);
        }
        store.startAnew();
        assert.deepEqual(store.marks(), byKey(model.latest.values()));
      }),
      { numRuns: 60 },
    );
  });

  it('writes a row for what is seen again and again when its body is new and stays, and no other', async (t) => {
    const store = new Store(t, await newFile());
    store.db.exec(`CREATE TEMP TABLE written (at_ms INTEGER);
      CREATE TEMP TRIGGER inserted AFTER INSERT ON marks BEGIN INSERT INTO written VALUES (new.at_ms); END;
      CREATE TEMP TRIGGER updated AFTER UPDATE ON marks BEGIN INSERT INTO written VALUES (new.at_ms); END`);
    let at_ms = 0;
    const mark = (body: string) => store.mark([{ key: 'often', at_ms: ++at_ms, count: at_ms, body }]);
    for (let times = 0; times < 20; times++) mark('steady');
    for (const body of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) mark(body);
    for (let times = 0; times < 20; times++) mark('h');
    assert.equal(store.ask('SELECT count(*) AS answer FROM written'), 2);
  });

  it('writes a body that stays the same once', async (t) => {
    const store = new Store(t, await newFile());
    const body = 'x'.repeat(1000);
    for (let at_ms = 1; at_ms <= KEPT; at_ms++) store.mark([{ key: 'a', at_ms, count: 1, body }]);
    const length = Number(store.ask('SELECT sum(length(marks)) AS answer FROM mark_batches'));
    assert.ok(length < 1100, String(length));
  });
});

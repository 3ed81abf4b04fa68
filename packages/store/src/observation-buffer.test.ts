import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Observation } from './journal.ts';
import { ObservationBuffer, type ObservingOptions } from './observation-buffer.ts';
import { StoreError } from './store-error.ts';

/** A store whose writes end when the test says so. */
class Disk {
  readonly writes: { readonly rows: readonly Observation[]; readonly done: PromiseWithResolvers<void> }[] = [];

  write(rows: readonly Observation[]): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.writes.push({ rows, done });
    return done.promise;
  }

  /** How many observations each write has had. */
  get sizes(): readonly number[] {
    return this.writes.map(({ rows }) => rows.length);
  }

  async finish(error?: Error): Promise<void> {
    const last = this.writes.at(-1);
    if (error === undefined) last?.done.resolve();
    else last?.done.reject(error);
    await settle();
  }
}

/** Lets everything run that waits for no timer. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}

function some(count: number, body = ''): readonly Observation[] {
  return Array.from({ length: count }, (_, index) => ({ log: 'l', key: 'k', at_ms: index, id: String(index), body }));
}

function setUp(t: TestContext, options: ObservingOptions = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const disk = new Disk();
  const buffer = new ObservationBuffer((rows) => disk.write(rows), options);
  const outcomes: string[] = [];
  const add = async (name: string, observations: readonly Observation[]) => {
    try {
      await buffer.add(observations);
      outcomes.push(`${name} written`);
    } catch (error) {
      outcomes.push(`${name} ${error instanceof StoreError ? error.fault : error}`);
    }
  };
  return { disk, buffer, outcomes, add };
}

describe('the buffer of observations', () => {
  it('writes what came within half a second at once, and resolves each call when it is on disk', async (t) => {
    const { disk, buffer, outcomes, add } = setUp(t);
    const calls = [add('a', some(2)), add('b', some(1)), add('nothing', [])];
    t.mock.timers.tick(499);
    await settle();
    assert.deepEqual([disk.sizes, outcomes], [[], ['nothing written']]);
    t.mock.timers.tick(1);
    assert.deepEqual(disk.sizes, [3]);
    await settle();
    assert.deepEqual([outcomes.length, buffer.counts], [1, { waiting: 3, written: 0, refused: 0 }]);
    await disk.finish();
    await Promise.all(calls);
    assert.deepEqual(outcomes, ['nothing written', 'a written', 'b written']);
    assert.deepEqual(buffer.counts, { waiting: 0, written: 3, refused: 0 });
  });

  it('never writes twice at a time, and has what comes meanwhile wait for its own time', async (t) => {
    const { disk, outcomes, add } = setUp(t);
    void add('a', some(1));
    t.mock.timers.tick(500);
    void add('b', some(2));
    t.mock.timers.tick(5_000);
    await settle();
    assert.deepEqual(disk.sizes, [1]);
    await disk.finish();
    assert.deepEqual([disk.sizes, outcomes], [[1], ['a written']]);
    t.mock.timers.tick(500);
    assert.deepEqual(disk.sizes, [1, 2]);
  });

  it('does not wait once there is a slice full of them, by number or by size', async (t) => {
    const { disk, outcomes, add } = setUp(t);
    void add('few', some(4_999));
    assert.deepEqual(disk.sizes, []);
    void add('one more', some(2));
    assert.deepEqual(disk.sizes, [5_000]);
    await disk.finish();
    assert.deepEqual([disk.sizes, outcomes], [[5_000, 1], ['few written']]);
    await disk.finish();
    void add('large', some(100, 'x'.repeat(60_000)));
    await settle();
    assert.deepEqual(disk.sizes, [5_000, 1, 67]);
    await disk.finish();
    assert.deepEqual(disk.sizes, [5_000, 1, 67, 33]);
    await disk.finish();
    assert.deepEqual(outcomes, ['few written', 'one more written', 'large written']);
  });

  it('refuses what comes when too much waits, counts it, and takes more when there is room', async (t) => {
    const { disk, buffer, outcomes, add } = setUp(t, { most_waiting_bytes: 1_000 });
    // Any size is taken while there is room: nothing could make room for it later.
    void add('large', some(50));
    void add('refused', some(3));
    await settle();
    assert.deepEqual([outcomes, buffer.counts], [['refused overloaded'], { waiting: 50, written: 0, refused: 3 }]);
    t.mock.timers.tick(500);
    await disk.finish();
    void add('again', some(3));
    t.mock.timers.tick(500);
    await disk.finish();
    assert.deepEqual(outcomes, ['refused overloaded', 'large written', 'again written']);
    assert.deepEqual(buffer.counts, { waiting: 0, written: 53, refused: 3 });
  });

  it('rejects the calls whose write failed, and continues with the others', async (t) => {
    const { disk, buffer, outcomes, add } = setUp(t);
    void add('first', some(1));
    buffer.flush();
    void add('fits', some(4_000));
    void add('spans', some(12_000));
    void add('later', some(10));
    await disk.finish();
    await disk.finish(new StoreError('full', 'no room'));
    assert.deepEqual(outcomes, ['first written', 'fits full', 'spans full']);
    // Of the call that failed nothing more is written.
    assert.deepEqual(disk.sizes, [1, 5_000, 10]);
    await disk.finish();
    assert.deepEqual(outcomes, ['first written', 'fits full', 'spans full', 'later written']);
    assert.deepEqual(buffer.counts, { waiting: 0, written: 11, refused: 16_000 });
  });

  it('rejects a call of several slices when its last one fails', async (t) => {
    const { disk, buffer, outcomes, add } = setUp(t);
    void add('a', some(6_000));
    await disk.finish();
    assert.deepEqual(outcomes, []);
    await disk.finish(new StoreError('unavailable', 'gone'));
    assert.deepEqual([outcomes, buffer.counts], [['a unavailable'], { waiting: 0, written: 5_000, refused: 1_000 }]);
  });

  it('writes all that is left when it is flushed, also what came during a write', async (t) => {
    const { disk, buffer, outcomes, add } = setUp(t);
    buffer.flush();
    void add('a', some(1));
    buffer.flush();
    void add('b', some(2));
    buffer.flush();
    assert.deepEqual(disk.sizes, [1]);
    await disk.finish();
    assert.deepEqual(disk.sizes, [1, 2]);
    await disk.finish();
    assert.deepEqual(outcomes, ['a written', 'b written']);
    t.mock.timers.tick(5_000);
    assert.deepEqual(disk.sizes, [1, 2]);
  });
});

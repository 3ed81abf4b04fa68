import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { nextLine, startChild } from '../../test/children.ts';
import { CuttingProxy } from '../../test/cutting-proxy.ts';
import { eventually } from '../../test/eventually.ts';
import { Replicas, terminate, waiting } from '../../test/replicas.ts';
import { node, Scribe } from '../../test/scribe.ts';
import type { Journal, Observation } from '../index.ts';

function seen(at_ms: number, rest: Partial<Observation> = {}): Observation {
  return { log: 'telemetry', key: 'a', at_ms, id: 'a', body: '', ...rest };
}

async function times(journal: Journal): Promise<readonly number[]> {
  const found = await journal.observations({ log: 'telemetry', order: 'oldest_first', limit: 1_000_000 });
  return found.map(({ at_ms }) => at_ms);
}

describe('observations on PostgreSQL', () => {
  const replicas = Replicas.described();

  /** A store behind a proxy, with one observation, and a second store that has a direct connection. */
  async function behindProxy(t: TestContext) {
    const place = replicas.newPlace();
    const proxy = new CuttingProxy(replicas.server);
    const address = await proxy.open(place.address);
    const journal = await replicas.open(t, { ...place, address });
    t.after(() => proxy.close());
    await journal.observe([seen(1)]);
    proxy.write = 'put-observations';
    return { proxy, journal, direct: await replicas.open(t, place) };
  }

  it('make no commit wait, and wait for none', async (t) => {
    const place = replicas.newPlace();
    const journal = await replicas.open(t, place);
    const [raw, observer] = [await replicas.raw(t, place), await replicas.raw(t, place)];
    const scribe = new Scribe(journal);
    await raw.query('BEGIN; LOCK TABLE observations IN EXCLUSIVE MODE');
    const observing = journal.observe([seen(1)]);
    await eventually('the observation waits', async () => (await waiting(observer, 'observe')) === 1);
    for (let made = 1; made <= 5; made += 1) assert.equal(await scribe.put(node('a', String(made))), made);
    await raw.query('ROLLBACK');
    await observing;
    await raw.query('BEGIN; SELECT revision FROM head FOR UPDATE');
    const committing = scribe.put(node('a', '6'));
    await eventually('the commit waits', async () => (await waiting(observer, 'write')) === 1);
    await journal.observe([seen(2)]);
    assert.equal(await journal.prune('telemetry', { before_ms: 2 }), 1);
    assert.deepEqual(await times(journal), [2]);
    await raw.query('ROLLBACK');
    assert.equal(await committing, 6);
  });

  it('of several coordinators at once are all there, and those that are the same once', async (t) => {
    const place = replicas.newPlace();
    const journals = await Promise.all([0, 1, 2].map(() => replicas.open(t, place)));
    const common = Array.from({ length: 3_000 }, (_, at_ms) => seen(at_ms));
    const observing = journals.flatMap((journal, index) => [
      // Each in an order of its own: they must not wait for each other in a circle.
      journal.observe(index === 1 ? common.toReversed() : common),
      journal.observe(Array.from({ length: 500 }, (_, at_ms) => seen(at_ms, { key: `of ${index}` }))),
    ]);
    await Promise.all(observing);
    for (const journal of journals) assert.equal((await times(journal)).length, 4_500);
  });

  it('may be pruned by several coordinators at the same time', async (t) => {
    const place = replicas.newPlace();
    const [a, b] = [await replicas.open(t, place), await replicas.open(t, place)];
    await a.observe(Array.from({ length: 9_000 }, (_, at_ms) => seen(at_ms)));
    const raw = await replicas.raw(t, place);
    // Another coordinator holds rows that it is about to delete. The others pass over them.
    await raw.query('BEGIN; DELETE FROM observations WHERE at_ms < 100');
    assert.equal(await a.prune('telemetry', { before_ms: 1_000 }), 900);
    await raw.query('COMMIT');
    const pruned = await Promise.all([a, b].map((journal) => journal.prune('telemetry', { before_ms: 8_990 })));
    await a.prune('telemetry', { before_ms: 8_990 });
    assert.ok(pruned.every((removed) => removed <= 7_990));
    assert.deepEqual(await times(b), [8_990, 8_991, 8_992, 8_993, 8_994, 8_995, 8_996, 8_997, 8_998, 8_999]);
  });

  it('are written once when the connection breaks, whether the server had them or not', async (t) => {
    const { proxy, journal, direct } = await behindProxy(t);
    proxy.trouble = 'cut before the server receives it';
    await journal.observe([seen(2)]);
    proxy.trouble = 'cut before the answer';
    await journal.observe([{ log: 'telemetry', key: 'a', at_ms: 3, body: 'without an id' }]);
    assert.equal(proxy.cuts, 2);
    assert.deepEqual(await times(direct), [1, 2, 3]);
    assert.deepEqual(journal.observing, { waiting: 0, written: 3, refused: 0 });
  });

  it('whose outcome cannot be found out are not called written, and may be given again', async (t) => {
    const { proxy, journal, direct } = await behindProxy(t);
    proxy.trouble = 'cut before the answer';
    proxy.closed = true;
    await assert.rejects(journal.observe([seen(2)]), { fault: 'outcome_unknown' });
    await assert.rejects(journal.observe([seen(3)]), { fault: 'unavailable' });
    assert.deepEqual(journal.observing, { waiting: 0, written: 1, refused: 2 });
    proxy.closed = false;
    await journal.observe([seen(2), seen(3)]);
    assert.deepEqual(await times(direct), [1, 2, 3]);
  });

  it('go on after an idle connection broke, and after the server crashed', async (t) => {
    const place = replicas.newPlace();
    const warnings: string[] = [];
    const journal = await replicas.open(t, place, { warn: (message) => warnings.push(message) });
    const raw = await replicas.raw(t, place);
    await journal.observe([seen(1)]);
    assert.equal(await terminate(raw, 'observe'), 1);
    await eventually('the store has noticed', () => warnings.some((warning) => warning.includes('to observe broke')));
    await journal.observe([seen(2)]);
    await replicas.server.crash();
    await assert.rejects(journal.observe([seen(3)]));
    await assert.rejects(times(journal), { fault: 'unavailable' });
    await replicas.server.start();
    assert.deepEqual(await times(journal), [1, 2]);
    await journal.observe([seen(3)]);
    assert.deepEqual(await times(journal), [1, 2, 3]);
  });

  it('find the disk full when the server says so, and are written once there is room', async (t) => {
    const place = replicas.newPlace();
    const journal = await replicas.open(t, place);
    const raw = await replicas.raw(t, place);
    await raw.query(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON observations FOR EACH ROW EXECUTE FUNCTION full_disk()`);
    await assert.rejects(journal.observe([seen(1)]), { fault: 'full' });
    await raw.query('DROP TRIGGER full_disk ON observations');
    await journal.observe([seen(1)]);
    assert.deepEqual(await times(journal), [1]);
  });

  it('are not lost once they are acknowledged, when the coordinator is killed', async (t) => {
    const place = replicas.newPlace();
    const child = startChild('./observing-child.ts', [place.address, place.schema]);
    t.after(() => child.kill());
    let acknowledged = 0;
    for (let line = 0; line <= 20; line += 1) acknowledged = Number(await nextLine(child));
    await child.kill();
    const found = await times(await replicas.open(t, place));
    assert.ok(found.length >= acknowledged, `${acknowledged} were acknowledged, and ${found.length} are there`);
    assert.deepEqual(
      found,
      found.map((_, index) => index),
    );
  });
});

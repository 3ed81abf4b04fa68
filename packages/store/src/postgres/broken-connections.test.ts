import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { CuttingProxy } from '../../test/cutting-proxy.ts';
import { eventually } from '../../test/eventually.ts';
import { type Place, Replicas, terminate, waiting } from '../../test/replicas.ts';
import { idsOf, loaded, node, note, Scribe } from '../../test/scribe.ts';
import type { PostgresOptions } from './postgres-journal.ts';

describe('a store whose connections break', () => {
  const replicas = Replicas.described();

  /** A store behind a proxy, with one document at revision 1, and a second store that has a direct connection. */
  async function behindProxy(t: TestContext, options: PostgresOptions = {}) {
    const place = replicas.newPlace();
    const proxy = new CuttingProxy(replicas.server);
    const address = await proxy.open(place.address);
    const scribe = new Scribe(await replicas.open(t, { ...place, address }, options));
    t.after(() => proxy.close());
    await scribe.commit({ changes: [node('a', '1')], appends: [note('e1')] });
    return { place, proxy, scribe, direct: await replicas.open(t, place) };
  }

  /** What every test ends with: nothing is there by half, and the store goes on. */
  async function goesOn(scribe: Scribe, place: Place, t: TestContext): Promise<void> {
    const direct = await replicas.open(t, place);
    const { revision } = await loaded(direct);
    const { head_seq } = await direct.ends('audit');
    await scribe.commit({ changes: [node('after', '{}')], appends: [note('after')] });
    assert.equal(scribe.revision, revision + 1);
    assert.equal((await direct.ends('audit')).head_seq, head_seq + 1);
    await scribe.journal.ping();
  }

  it('answers a commit cut off before it began with unavailable, and nothing is written', async (t) => {
    const place = replicas.newPlace();
    const scribe = new Scribe(await replicas.open(t, place));
    const raw = await replicas.raw(t, place);
    await scribe.put(node('a', '1'));
    await raw.query('BEGIN; SELECT revision FROM head FOR UPDATE');
    const committing = assert.rejects(scribe.put(node('a', '2')), { fault: 'unavailable' });
    const observer = await replicas.raw(t, place);
    await eventually('the commit waits for its turn', async () => (await waiting(observer, 'write')) === 1);
    assert.equal(await terminate(observer, 'write'), 1);
    await committing;
    await raw.query('COMMIT');
    assert.equal((await loaded(scribe.journal)).documents.get('a')?.body, '1');
    await goesOn(scribe, place, t);
  });

  it('answers a COMMIT that never reached the server with unavailable, and nothing is written', async (t) => {
    const { place, proxy, scribe, direct } = await behindProxy(t);
    proxy.trouble = 'cut before the server receives it';
    const lost = { changes: [node('a', '2')], appends: [note('e2')] };
    await assert.rejects(scribe.commit(lost), { fault: 'unavailable' });
    assert.equal(proxy.cuts, 1);
    assert.equal((await loaded(direct)).documents.get('a')?.body, '1');
    assert.deepEqual(idsOf(await direct.range({ log: 'audit', order: 'oldest_first', limit: 5 })), ['e1']);
    await goesOn(scribe, place, t);
  });

  it('finds out that a COMMIT without an answer took effect', async (t) => {
    const { place, proxy, scribe, direct } = await behindProxy(t);
    proxy.trouble = 'cut before the answer';
    assert.equal(await scribe.commit({ changes: [node('a', '2')], appends: [note('e2')] }), 2);
    assert.equal(proxy.cuts, 1);
    assert.equal((await loaded(direct)).documents.get('a')?.body, '2');
    assert.deepEqual(idsOf(await direct.range({ log: 'audit', order: 'oldest_first', limit: 5 })), ['e1', 'e2']);
    await goesOn(scribe, place, t);
  });

  it('waits for a COMMIT that the server is still at', async (t) => {
    const { place, proxy, scribe } = await behindProxy(t);
    const raw = await replicas.raw(t, place);
    // A trigger that runs during COMMIT and waits there for a lock of ours.
    await raw.query(`CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock_shared(4711); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER dawdle AFTER INSERT OR UPDATE ON documents DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION dawdle()`);
    await raw.query('SELECT pg_advisory_lock(4711)');
    proxy.trouble = 'cut at once';
    const committing = scribe.put(node('a', '2'));
    // The one that commits waits for our lock, and the one that asks for the outcome waits for the head row.
    await eventually('the store asks for the outcome', async () => (await waiting(raw, 'write')) === 2);
    assert.equal(proxy.cuts, 1);
    await raw.query('SELECT pg_advisory_unlock(4711)');
    assert.equal(await committing, 2);
    await goesOn(scribe, place, t);
  });

  it('reports an unknown outcome while the server is unreachable, and learns the outcome later', async (t) => {
    const { place, proxy, scribe } = await behindProxy(t, { settle_within_ms: 300 });
    proxy.trouble = 'cut before the answer';
    proxy.closed = true;
    await assert.rejects(scribe.put(node('a', '2')), { fault: 'outcome_unknown' });
    proxy.closed = false;
    const missed: unknown[] = [];
    await scribe.journal.commit(1, (news) => {
      missed.push(...(news?.documents ?? []));
      return [];
    });
    assert.deepEqual(missed, [{ kind: 'node', id: 'a', revision: 2, body: '2' }]);
    await goesOn(scribe, place, t);
  });

  it('cannot keep others from writing by stalling', async (t) => {
    const { place, proxy, scribe, direct } = await behindProxy(t);
    const other = new Scribe(direct);
    const raw = await replicas.raw(t, place);
    const stalling = scribe.journal.commit(1, () => {
      proxy.stalled = true;
      return [{ revision: 2, changes: [node('a', 'stalled')], appends: [] }];
    });
    const refused = assert.rejects(stalling, { fault: 'unavailable' });
    await eventually('the stalling one holds the right to write', () => proxy.stalled);
    assert.equal(await other.put(node('b')), 2);
    await refused;
    proxy.stalled = false;
    assert.equal((await loaded(direct)).documents.get('a')?.body, '1');
    assert.equal(await waiting(raw, 'write'), 0);
    await goesOn(scribe, place, t);
  });

  it('survives losing every idle connection at once', async (t) => {
    const place = replicas.newPlace();
    const warnings: string[] = [];
    const scribe = new Scribe(await replicas.open(t, place, { warn: (message) => warnings.push(message) }));
    const raw = await replicas.raw(t, place);
    await scribe.put(node('a'));
    await scribe.journal.since(0);
    assert.equal(await terminate(raw, 'write'), 1);
    assert.ok((await terminate(raw, 'read')) >= 1);
    // Each by its name: one connection that breaks may give two warnings, and the other none yet.
    const noticed = (what: string) => warnings.some((warning) => warning.includes(what));
    await eventually('the store has noticed', () => noticed('to write broke') && noticed('to read broke'));
    await goesOn(scribe, place, t);
  });

  it('loses nothing when the server crashes, and goes on when it is back', async (t) => {
    const place = replicas.newPlace();
    const scribe = new Scribe(await replicas.open(t, place));
    await scribe.commit({ changes: [node('a', '1')], appends: [note('e1')] });
    await replicas.server.crash();
    await assert.rejects(scribe.put(node('a', '2')), { fault: 'unavailable' });
    await assert.rejects(scribe.journal.since(0), { fault: 'unavailable' });
    await assert.rejects(scribe.journal.ping(), { fault: 'unavailable' });
    await replicas.server.start();
    await scribe.journal.ping();
    assert.equal((await loaded(scribe.journal)).documents.get('a')?.body, '1');
    await goesOn(scribe, place, t);
  });

  it('says that the disk is full when the server does, and writes nothing by half', async (t) => {
    const place = replicas.newPlace();
    const scribe = new Scribe(await replicas.open(t, place));
    const raw = await replicas.raw(t, place);
    await raw.query(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION full_disk()`);
    await assert.rejects(scribe.commit({ changes: [node('a')], appends: [note('e1')] }), { fault: 'full' });
    assert.equal((await loaded(scribe.journal)).revision, 0);
    await raw.query('DROP TRIGGER full_disk ON entries');
    await goesOn(scribe, place, t);
  });
});

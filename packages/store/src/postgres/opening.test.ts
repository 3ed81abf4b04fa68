import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Replicas } from '../../test/replicas.ts';
import { node, Scribe } from '../../test/scribe.ts';
import { StoreError } from '../index.ts';
import { SCHEMA_VERSION } from './migrations.ts';

describe('opening a store on PostgreSQL', () => {
  const replicas = Replicas.described();

  it('works for coordinators that all start for the first time at once', async (t) => {
    const place = replicas.newPlace();
    const journals = await Promise.all(Array.from({ length: 5 }, () => replicas.open(t, place)));
    await Promise.all(journals.map((journal, index) => new Scribe(journal).put(node(`n${index}`))));
    for (const journal of journals) {
      assert.equal((await journal.since(0)).documents.length, 5);
      assert.equal(journal.shared, true);
    }
  });

  it('refuses what a newer version wrote, and names both versions', async (t) => {
    const place = replicas.newPlace();
    await (await replicas.open(t, place)).close();
    const raw = await replicas.raw(t, place);
    await raw.query('UPDATE schema_version SET version = 4711');
    await assert.rejects(replicas.open(t, place), (error) => {
      assert.ok(error instanceof StoreError);
      assert.equal(error.fault, 'newer');
      assert.match(error.message, /version 4711\b/);
      assert.match(error.message, new RegExp(`version ${SCHEMA_VERSION}\\b`));
      return true;
    });
    assert.deepEqual((await raw.query('SELECT version FROM schema_version')).rows, [{ version: 4711 }]);
  });

  it('goes on with signs of life from before they had a count, and with coordinators that write none', async (t) => {
    const place = replicas.newPlace();
    await (await replicas.open(t, place)).close();
    const raw = await replicas.raw(t, place);
    await raw.query(`ALTER TABLE marks DROP COLUMN count; DROP TABLE observations;
      UPDATE schema_version SET version = 1`);
    const insert = 'INSERT INTO marks (key, at_ms, body, stamp) VALUES ($1, 1, $2, 0)';
    await raw.query(insert, ['before', '5 {}']);
    const journal = await replicas.open(t, place);
    await raw.query(insert, ['beside', '6 {}']);
    await journal.mark([{ key: 'before', at_ms: 2, count: 7, body: '{}' }]);
    const { marks } = await journal.marks(-1);
    assert.deepEqual(
      marks.toSorted((a, b) => a.at_ms - b.at_ms),
      [
        { key: 'beside', at_ms: 1, count: 0, body: '6 {}' },
        { key: 'before', at_ms: 2, count: 7, body: '{}' },
      ],
    );
  });

  it('goes on with a store from before there were observations, beside coordinators that know of none', async (t) => {
    const place = replicas.newPlace();
    const older = new Scribe(await replicas.open(t, place));
    await older.put(node('a', '1'));
    const raw = await replicas.raw(t, place);
    await raw.query('DROP TABLE observations; UPDATE schema_version SET version = 2');
    const journal = await replicas.open(t, place);
    const observation = { log: 'telemetry', key: 'a', at_ms: 1, id: '1', body: '{}' };
    await journal.observe([observation]);
    assert.deepEqual(await journal.observations({ log: 'telemetry', order: 'oldest_first', limit: 9 }), [observation]);
    await older.put(node('a', '2'));
    assert.equal((await journal.since(1)).documents[0]?.body, '2');
  });

  it('keeps to its schema', async (t) => {
    const place = replicas.newPlace();
    const raw = await replicas.raw(t, place);
    const elsewhere = 'SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ($1, $2, $3)';
    const schemas = [place.schema, 'pg_catalog', 'information_schema'];
    const before = (await raw.query(elsewhere, schemas)).rows;
    await new Scribe(await replicas.open(t, place)).put(node('a'));
    assert.deepEqual((await raw.query(elsewhere, schemas)).rows, before);
  });

  it('needs no right to create schemas where an operator has made one', async (t) => {
    const place = replicas.newPlace();
    const raw = await replicas.raw(t, place);
    await raw.query(`CREATE ROLE modest LOGIN; CREATE SCHEMA ${place.schema} AUTHORIZATION modest`);
    const address = place.address.replace('postgres@', 'modest@');
    await new Scribe(await replicas.open(t, { ...place, address })).put(node('a'));
    await assert.rejects(replicas.open(t, { ...replicas.newPlace(), address }), { fault: 'unavailable' });
  });

  it('needs a database that can hold every character', async (t) => {
    const raw = await replicas.raw(t, replicas.newPlace());
    await raw.query("CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0");
    const address = replicas.newPlace().address.replace(/\/test_\d+/, '/ascii');
    await assert.rejects(replicas.open(t, { address, schema: 'mesh' }), { fault: 'misuse' });
    const nowhere = replicas.newPlace().address.replace(/\/test_\d+/, '/nowhere');
    await assert.rejects(replicas.open(t, { address: nowhere, schema: 'mesh' }), { fault: 'unavailable' });
  });

  it('makes writes wait for the disk even where the server would not', async (t) => {
    const place = replicas.newPlace();
    const raw = await replicas.raw(t, place);
    await raw.query('CREATE ROLE hasty LOGIN SUPERUSER; ALTER ROLE hasty SET synchronous_commit TO off');
    const journal = await replicas.open(t, { ...place, address: place.address.replace('postgres@', 'hasty@') });
    await raw.query(`CREATE TABLE witness (setting text);
      CREATE FUNCTION witness() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO ${place.schema}.witness VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
      CREATE TRIGGER witness AFTER INSERT ON documents EXECUTE FUNCTION witness();
      CREATE TRIGGER witness AFTER INSERT ON marks EXECUTE FUNCTION witness();
      CREATE TRIGGER witness AFTER INSERT ON observations EXECUTE FUNCTION witness()`);
    await new Scribe(journal).put(node('a'));
    await journal.mark([{ key: 'a', at_ms: 1, count: 0, body: null }]);
    await journal.observe([{ log: 'telemetry', key: 'a', at_ms: 1, body: '' }]);
    assert.deepEqual((await raw.query('SELECT setting FROM witness')).rows, [
      { setting: 'on' },
      { setting: 'on' },
      { setting: 'on' },
    ]);
  });
});

import assert from 'node:assert/strict';
import { chmod, copyFile, mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { nextLine, startChild } from '../../test/children.ts';
import { loaded, node, Scribe } from '../../test/scribe.ts';
import { temporaryFolders } from '../../test/temporary-folders.ts';
import { type Journal, openStore, StoreError } from '../index.ts';
import { openToWrite } from './database.ts';
import { migrate, SCHEMA_VERSION } from './migrations.ts';

async function openClosing(t: TestContext, file: string): Promise<Journal> {
  const journal = await openStore(`sqlite:${file}`);
  t.after(() => journal.close());
  return journal;
}

describe('opening the embedded store', () => {
  const newFolder = temporaryFolders();
  const newFile = async () => join(await newFolder(), 'mesh.db');

  /** A store with a few hundred documents, closed. */
  async function filledFile(t: TestContext): Promise<string> {
    const file = await newFile();
    const scribe = new Scribe(await openClosing(t, file));
    await scribe.put(...Array.from({ length: 500 }, (_, index) => node(`n${index}`, 'x'.repeat(600))));
    await scribe.journal.close();
    return file;
  }

  it('keeps it from everyone else on the machine', async (t) => {
    const before = process.umask(0);
    t.after(() => process.umask(before));
    const folder = join(await newFolder(), 'new', 'data');
    const file = join(folder, 'mesh.db');
    await new Scribe(await openClosing(t, file)).put(node('a'));
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    assert.equal(await modeOf(folder), '700');
    for (const suffix of ['', '-wal', '-shm', '.lock']) assert.equal(await modeOf(file + suffix), '600', suffix);
  });

  it('refuses what others can read or write, and says what to do', async (t) => {
    const file = await filledFile(t);
    for (const suffix of ['', '.lock']) {
      await chmod(file + suffix, 0o640);
      await assert.rejects(openClosing(t, file), {
        fault: 'misuse',
        message: `the store ${file + suffix} is open to others (mode 640). Make it 600: chmod 600 ${file + suffix}`,
      });
      await chmod(file + suffix, 0o600);
    }
    await openClosing(t, file);
  });

  it('makes every commit reach the disk before it returns', async (t) => {
    const { db, claim } = openToWrite(await newFile(), {});
    t.after(() => claim.release());
    t.after(() => db.close());
    assert.equal(db.prepare('PRAGMA synchronous').get()?.synchronous, 2);
    assert.equal(db.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal');
  });

  it('refuses what a newer version wrote, names both versions, and leaves it alone', async (t) => {
    const file = await filledFile(t);
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 4711');
    db.close();
    const before = await readFile(file);
    await assert.rejects(openClosing(t, file), (error) => {
      assert.ok(error instanceof StoreError);
      assert.equal(error.fault, 'newer');
      assert.match(error.message, /version 4711\b/);
      assert.match(error.message, new RegExp(`version ${SCHEMA_VERSION}\\b`));
      return true;
    });
    assert.deepEqual(await readFile(file), before);
  });

  it('goes on with signs of life from when all of them were written in full', async (t) => {
    const file = await newFile();
    const db = new DatabaseSync(file);
    migrate(db, 2);
    const insert = (table: string, ...rows: readonly (readonly (string | number | null)[])[]) => {
      for (const row of rows) db.prepare(`INSERT INTO ${table} VALUES (${row.map(() => '?')})`).run(...row);
    };
    insert(
      'marks',
      ['row', 10, '5 {"a":1}', 1],
      ['newer in a batch', 10, 'old', 1],
      ['newer in the row', 90, 'new', 1],
    );
    const text = '7 {"é":"\\u0000 \\"𐍈\\" \n"}';
    const batches = [
      [
        ['newer in a batch', 20, text],
        ['newer in the row', 20, 'old'],
        ['null', 20, 'old'],
        ['empty', 20, ''],
      ],
      [
        ['newer in a batch', 15, 'late'],
        ['null', 20, null],
      ],
    ];
    for (const [index, batch] of batches.entries()) {
      insert('mark_batches', [index + 2, JSON.stringify(batch.map(([key, at_ms, body]) => ({ key, at_ms, body })))]);
    }
    db.exec('UPDATE head SET mark_stamp = 3');
    db.close();
    await chmod(file, 0o600);
    const journal = await openClosing(t, file);
    const { stamp, marks } = await journal.marks(0);
    assert.equal(stamp, 3);
    const read = marks.map(({ key, at_ms, count, body }) => [key, at_ms, count, body]);
    assert.deepEqual(read.sort(), [
      ['empty', 20, 0, ''],
      ['newer in a batch', 20, 0, text],
      ['newer in the row', 90, 0, 'new'],
      ['null', 20, 0, null],
      ['row', 10, 0, '5 {"a":1}'],
    ]);
    const next = { key: 'row', at_ms: 11, count: 6, body: '{"a":1}' };
    await journal.mark([next]);
    assert.deepEqual((await journal.marks(stamp)).marks, [next]);
  });

  it('finds a page that was overwritten', async (t) => {
    const file = await filledFile(t);
    const handle = await open(file, 'r+');
    // The first bytes of a page say what it is and where its rows are.
    await handle.write(Buffer.alloc(200, 0xa5), 0, 200, 4096 * 20);
    await handle.close();
    await assert.rejects(openClosing(t, file), { fault: 'damaged' });
  });

  it('finds a header that was overwritten', async (t) => {
    const file = await filledFile(t);
    const handle = await open(file, 'r+');
    await handle.write(Buffer.alloc(100, 0xa5), 0, 100, 0);
    await handle.close();
    await assert.rejects(openClosing(t, file), { fault: 'damaged' });
  });

  it('finds a file that was cut short', async (t) => {
    const file = await filledFile(t);
    const handle = await open(file, 'r+');
    await handle.truncate(4096 * 30);
    await handle.close();
    await assert.rejects(openClosing(t, file), { fault: 'damaged' });
  });

  it("leaves other programs' databases alone", async (t) => {
    const file = await newFile();
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE recipes (name TEXT)');
    db.close();
    await chmod(file, 0o600);
    await assert.rejects(openClosing(t, file), { fault: 'misuse' });
  });

  it('says what is wrong with a place where no store can be', async (t) => {
    const file = await newFile();
    await writeFile(file, 'a file');
    await assert.rejects(openClosing(t, join(file, 'mesh.db')), { fault: 'unavailable' });
    await mkdir(`${file}-folder`);
    await assert.rejects(openClosing(t, `${file}-folder`), { fault: 'unavailable' });
    await assert.rejects(openClosing(t, '/proc/mesh/mesh.db'), { fault: 'unavailable' });
  });

  it('is for one at a time, and free again when that one is killed', async (t) => {
    const file = await newFile();
    const child = startChild('./holding-child.ts', [file, '3']);
    t.after(() => child.kill());
    for (const line of ['0', '1', '2', '3']) assert.equal(await nextLine(child), line);
    await assert.rejects(openClosing(t, file), { fault: 'in_use' });
    await child.kill();
    const journal = await openClosing(t, file);
    assert.equal((await loaded(journal)).revision, 3);
    assert.equal(journal.shared, false);
    await assert.rejects(openClosing(t, file), { fault: 'in_use' });
    const other = startChild('./holding-child.ts', [file, '0']);
    t.after(() => other.kill());
    await assert.rejects(nextLine(other), /ended without a word/, 'the attempt of this process has not let it in');
  });

  it('leaves it free to be read and copied by others', async (t) => {
    const file = await newFile();
    const journal = await openClosing(t, file);
    await new Scribe(journal).put(node('a'));
    const reader = new DatabaseSync(file, { readOnly: true });
    assert.equal(reader.prepare('SELECT count(*) AS n FROM documents').get()?.n, 1);
    reader.close();
    const copy = `${file}-copy`;
    for (const suffix of ['', '-wal']) await copyFile(file + suffix, copy + suffix);
    assert.deepEqual([...(await loaded(await openClosing(t, copy))).documents.keys()], ['a']);
  });
});

import assert from 'node:assert/strict';
import { access, chmod, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { nextLine, startChild } from '../../test/children.ts';
import { loaded, node, Scribe } from '../../test/scribe.ts';
import { temporaryFolders } from '../../test/temporary-folders.ts';
import { type Journal, type Observation, openStore, type StoreOptions } from '../index.ts';

function seen(at_ms: number, body = ''): Observation {
  return { log: 'telemetry', key: 'a', at_ms, id: 'a', body };
}

function all(journal: Journal): Promise<readonly Observation[]> {
  return journal.observations({ log: 'telemetry', order: 'oldest_first', limit: 1_000_000 });
}

describe('observations in the embedded store', () => {
  const newFolder = temporaryFolders();
  const newFile = async () => join(await newFolder(), 'mesh.db');
  const open = async (t: TestContext, file: string, options: StoreOptions = {}): Promise<Journal> => {
    const journal = await openStore(`sqlite:${file}`, { observing: { flush_after_ms: 0 }, ...options });
    t.after(() => journal.close());
    return journal;
  };

  it('have a file of their own, from when they are needed, and only for its owner', async (t) => {
    const before = process.umask(0);
    t.after(() => process.umask(before));
    const file = await newFile();
    const journal = await open(t, file);
    await new Scribe(journal).put(node('a'));
    await assert.rejects(access(`${file}-observations`), { code: 'ENOENT' });
    await journal.observe([seen(1)]);
    for (const suffix of ['', '-wal', '-shm']) {
      assert.equal(((await stat(`${file}-observations${suffix}`)).mode & 0o777).toString(8), '600', suffix);
    }
  });

  it('make no commit wait', async (t) => {
    const file = await newFile();
    const journal = await open(t, file);
    await journal.observe([seen(1)]);
    const other = new DatabaseSync(`${file}-observations`);
    t.after(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    let written = false;
    const observing = journal.observe([seen(2)]).then(() => {
      written = true;
    });
    const scribe = new Scribe(journal);
    for (let made = 1; made <= 3; made += 1) assert.equal(await scribe.put(node('a', String(made))), made);
    assert.equal(written, false);
    other.exec('ROLLBACK');
    await observing;
    assert.equal((await all(journal)).length, 2);
  });

  it('are not lost once they are acknowledged, when the process is killed', async (t) => {
    const file = await newFile();
    let acknowledged = 0;
    for (const calls of [1, 3, 8, 40]) {
      // It goes on while the signal is under way, so the kill comes in the middle of a write.
      const child = startChild('./observing-child.ts', [`sqlite:${file}`]);
      t.after(() => child.kill());
      for (let line = 0; line <= calls; line += 1) {
        acknowledged = Math.max(acknowledged, Number(await nextLine(child)));
      }
      await child.kill();
      const journal = await open(t, file);
      const found = await all(journal);
      assert.ok(found.length >= acknowledged, `${acknowledged} were acknowledged, and ${found.length} are there`);
      // A call is written whole or not at all, and none of them is there twice.
      assert.equal(found.length % 50, 0);
      assert.deepEqual(
        found.map(({ at_ms }) => at_ms),
        found.map((_, index) => index),
      );
      await journal.close();
      acknowledged = found.length;
    }
  });

  it('that find no room are refused, and the next are written once there is room', async (t) => {
    const journal = await open(t, await newFile(), { sqlite: { max_bytes: 400_000 } });
    let accepted = 0;
    const fill = async () => {
      for (;;) {
        await journal.observe([seen(accepted, 'x'.repeat(20_000))]);
        accepted += 1;
      }
    };
    await assert.rejects(fill, { fault: 'full' });
    assert.deepEqual(journal.observing, { waiting: 0, written: accepted, refused: 1 });
    assert.equal((await all(journal)).length, accepted);
    // Commits have a file of their own, and room in it.
    assert.equal(await new Scribe(journal).put(node('a')), 1);
    await journal.prune('telemetry', { most: 2 });
    await journal.observe([seen(accepted, 'x'.repeat(20_000))]);
    assert.equal((await all(journal)).length, 3);
  });

  it('that cannot be opened leave the store as it is, and are tried again', async (t) => {
    const file = await newFile();
    const journal = await open(t, file);
    const foreign = new DatabaseSync(`${file}-observations`);
    foreign.exec('CREATE TABLE recipes (name TEXT)');
    foreign.close();
    await assert.rejects(journal.observe([seen(1)]), { fault: 'misuse', message: /is open to others/ });
    await chmod(`${file}-observations`, 0o600);
    await assert.rejects(journal.observe([seen(1)]), { fault: 'misuse', message: /not one of Meshwork's/ });
    const scribe = new Scribe(journal);
    await scribe.put(node('a'));
    assert.equal((await loaded(journal)).documents.size, 1);
    await rm(`${file}-observations`);
    await journal.observe([seen(1)]);
    assert.deepEqual(await all(journal), [seen(1)]);
  });

  it('that a newer version wrote are refused, and the store is not', async (t) => {
    const file = await newFile();
    const first = await open(t, file);
    await first.observe([seen(1)]);
    await first.close();
    const db = new DatabaseSync(`${file}-observations`);
    db.exec('PRAGMA user_version = 4711');
    db.close();
    const journal = await open(t, file);
    await assert.rejects(journal.observe([seen(2)]), { fault: 'newer', message: /version 4711\b/ });
    await new Scribe(journal).put(node('a'));
  });
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolders } from '../../test/temporary-folders.ts';
import { openToWrite } from './database.ts';
import { toDocuments } from './document-rows.ts';
import { Reader } from './reader.ts';
import { SqliteWriter } from './writer.ts';

describe('loading', () => {
  const newFolder = temporaryFolders();

  it('shows the moment it began, and neither stops commits nor is disturbed by them', async (t) => {
    const file = join(await newFolder(), 'mesh.db');
    const { db, claim } = openToWrite(file, {});
    const [writer, reader] = [new SqliteWriter(db), new Reader(file)];
    t.after(() => {
      reader.close();
      db.close();
      claim.release();
    });
    const put = (revision: number) => {
      const documents = ['a', 'b'].map((id) => ({ kind: 'node', id, revision, body: String(revision) }));
      writer.commit({ after: revision - 1, revision, documents, appends: [] });
    };
    const bodies = (load: number) => toDocuments(reader.continueLoad(load, 1)).map(({ body }) => body);
    put(1);
    const early = reader.startLoad();
    put(2);
    const late = reader.startLoad();
    assert.deepEqual([early.revision, late.revision], [1, 2]);
    assert.deepEqual([bodies(early.load), bodies(late.load)], [['1'], ['2']]);
    put(3);
    assert.equal(reader.head(), 3);
    assert.deepEqual([bodies(early.load), bodies(late.load)], [['1'], ['2']]);
    assert.deepEqual([bodies(early.load), bodies(late.load)], [[], []]);
    reader.endLoad(early.load);
  });
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CHAIN_START, chainHash } from '@meshwork/contract/chain';
import { nextLine, startChild } from '../../test/children.ts';
import { idsOf, loaded, node, note, Scribe } from '../../test/scribe.ts';
import { temporaryFolders } from '../../test/temporary-folders.ts';
import { type Journal, openStore } from '../index.ts';

/** Recomputes the whole chain; returns how many entries it has. */
async function verifyChain(journal: Journal): Promise<number> {
  const entries = await journal.range({ log: 'audit', order: 'oldest_first', limit: 100_000 });
  let previous = CHAIN_START;
  for (const { seq, revision, body, hash } of entries) {
    assert.equal(hash, chainHash({ previous, seq, revision, body }));
    previous = hash;
  }
  return entries.length;
}

describe('the embedded store', () => {
  const newFolder = temporaryFolders();

  it('loses no acknowledged commit when its process is killed', async (t) => {
    const file = join(await newFolder(), 'mesh.db');
    let acknowledged = 0;
    for (const commits of [1, 2, 3, 5, 8, 13, 21, 34, 55, 200]) {
      // It goes on committing while the signal is under way, so the kill comes in the middle of a commit.
      const child = startChild('./holding-child.ts', [file, '100000']);
      t.after(() => child.kill());
      for (let line = 0; line <= commits; line += 1) {
        acknowledged = Math.max(acknowledged, Number(await nextLine(child)));
      }
      await child.kill();
      const journal = await openStore(`sqlite:${file}`);
      const { revision, documents } = await loaded(journal);
      assert.ok(revision >= acknowledged, `${acknowledged} was acknowledged, and ${revision} is there`);
      assert.equal(documents.get('last')?.body, String(revision));
      assert.equal(documents.size, revision + 1);
      assert.equal(await verifyChain(journal), revision);
      await journal.close();
      acknowledged = revision;
    }
  });

  it('that has reached its quota writes nothing by half, and goes on once there is room', async (t) => {
    const address = `sqlite:${join(await newFolder(), 'mesh.db')}`;
    const journal = await openStore(address, { sqlite: { max_bytes: 1_000_000 } });
    t.after(() => journal.close());
    const scribe = new Scribe(journal);
    let accepted = 0;
    const fill = async () => {
      for (;;) {
        const id = `e${accepted + 1}`;
        const body = 'x'.repeat(20_000);
        await scribe.commit({ changes: [node('last', id)], appends: [note(id, { at_ms: accepted, body })] });
        accepted += 1;
      }
    };
    await assert.rejects(fill, { fault: 'full' });
    assert.ok(accepted > 10);
    const { revision, documents } = await loaded(journal);
    assert.equal(revision, accepted);
    assert.equal(documents.get('last')?.body, `e${accepted}`);
    assert.equal((await journal.ends('audit')).head_seq, accepted);
    assert.equal(await journal.trim('audit', 5), 5);
    await scribe.commit({ changes: [node('last', 'after')], appends: [note('after')] });
    const [newest] = await journal.range({ log: 'audit', order: 'newest_first', limit: 1 });
    assert.deepEqual(idsOf(newest ? [newest] : []), ['after']);
  });

  it('on a disk that is full writes nothing by half, and goes on once there is room', async (t) => {
    // In a namespace of its own the child may mount a small disk, which is gone when the child is.
    const child = startChild('./full-disk-child.ts', [await newFolder()], ['unshare', '--map-root-user', '--mount']);
    t.after(() => child.kill());
    assert.equal(await nextLine(child), 'full');
    assert.equal(await nextLine(child), 'as it was');
    assert.equal(await nextLine(child), 'goes on');
    assert.equal(await nextLine(child), 'undamaged');
  });
});

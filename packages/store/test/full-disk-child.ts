/**
 * Fills a real disk of two megabytes and reports, line by line, what the embedded store makes of it. Runs in a mount
 * namespace of its own. Argument: an empty folder to mount the disk on.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, StoreError } from '../src/index.ts';
import { loaded, node, note, Scribe } from './scribe.ts';

const say = (line: string) => writeSync(1, `${line}\n`);
const folder = process.argv[2] ?? '';
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]);
const address = `sqlite:${join(folder, 'mesh.db')}`;
const scribe = new Scribe(await openStore(address));
await scribe.commit({ changes: [node('a', '1')], appends: [note('e1')] });

// Someone else's file takes most of the room.
const theirs = join(folder, 'theirs');
writeFileSync(theirs, Buffer.alloc(1_200_000));
const big = { changes: [node('a', '2'), node('b', 'x'.repeat(1_500_000))], appends: [note('e2')] };
const failure: unknown = await scribe.commit(big).catch((error: unknown) => error);
say(failure instanceof StoreError ? failure.fault : String(failure));

const { revision, documents } = await loaded(scribe.journal);
assert.equal(revision, 1);
assert.deepEqual([...documents.values()], [{ kind: 'node', id: 'a', revision: 1, body: '1' }]);
assert.equal((await scribe.journal.ends('audit')).head_seq, 1);
say('as it was');

rmSync(theirs);
assert.equal(await scribe.commit({ changes: [node('b', 'x'.repeat(100_000))], appends: [note('e2')] }), 2);
await scribe.journal.ping();
say('goes on');

await scribe.journal.close();
const again = await openStore(address);
assert.equal((await loaded(again)).documents.size, 2);
await again.close();
say('undamaged');

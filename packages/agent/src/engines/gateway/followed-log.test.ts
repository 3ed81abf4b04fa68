import assert from 'node:assert/strict';
import { appendFile, open, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { newFolder } from '../../../test/new-folder.ts';
import { runCommand } from '../../host/run-command.ts';
import { FollowedLog, type FollowedPlace, type LongLine, MAX_LINE_BYTES, MAX_UNREAD_BYTES } from './followed-log.ts';

describe('a log that is followed', () => {
  const following = async () => {
    const folder = await newFolder();
    const path = join(folder.path, 'a.log');
    await writeFile(path, '');
    const lines: (string | LongLine)[] = [];
    const lost: string[] = [];
    const warnings: string[] = [];
    const follow = (at?: FollowedPlace) =>
      new FollowedLog(
        {
          path,
          run: runCommand,
          take: (line) => lines.push(line),
          lost: (why) => lost.push(why),
          warn: (problem) => warnings.push(problem),
        },
        at,
      );
    const log = follow();
    await log.begin();
    return { path, log, follow, lines, lost, warnings, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  };

  it('is read line by line, each of them once and whole, also by another start', async () => {
    await using it = await following();
    await appendFile(it.path, 'one\ntw');
    await it.log.read();
    assert.deepEqual(it.lines, ['one']);
    await appendFile(it.path, 'o\n\nthree\nfo');
    await it.log.read();
    const next = it.follow(it.log.at);
    await next.begin();
    await appendFile(it.path, 'ur\n');
    await next.read();
    assert.deepEqual(it.lines, ['one', 'two', 'three', 'four']);
    assert.deepEqual(it.lost, []);
  });

  it('has the beginning and the end of a line that is too long, and what stands behind it', async () => {
    await using it = await following();
    await appendFile(it.path, `before\nBEGIN${'x'.repeat(3 * MAX_LINE_BYTES)}END\nbehind\n`);
    await it.log.read();
    const [before, long, behind] = it.lines;
    assert.deepEqual([before, behind, it.lines.length], ['before', 'behind', 3]);
    assert.ok(typeof long === 'object');
    assert.match(long.beginning, /^BEGINx{100000}/);
    assert.match(long.end, /^x{10000,}END$/);
    assert.deepEqual(it.lost, []);
  });

  it('waits for the end of a line that is too long', async () => {
    await using it = await following();
    await appendFile(it.path, `BEGIN${'x'.repeat(2 * MAX_LINE_BYTES)}`);
    await it.log.read();
    assert.deepEqual(it.lines, []);
    await appendFile(it.path, 'END\nbehind\n');
    await it.log.read();
    assert.deepEqual([it.lines.length, it.lines[1]], [2, 'behind']);
  });

  it('gives back what was kept, and nothing that was not', async () => {
    await using it = await following();
    const line = `${'x'.repeat(9999)}\n`;
    await appendFile(it.path, line.repeat(500));
    await it.log.read();
    const kept = it.log.at;
    await appendFile(it.path, line.repeat(500));
    await it.log.read();
    await it.log.giveBack(kept);
    const found = await open(it.path);
    const [behind, before] = [Buffer.alloc(4), Buffer.alloc(4)];
    await found.read(before, 0, 4, 1000);
    await found.read(behind, 0, 4, kept.place);
    await found.close();
    assert.equal(behind.toString(), 'xxxx');
    assert.equal(before.toString(), '\0\0\0\0');
    assert.equal(it.lines.length, 1000);
    const again = it.follow(kept);
    await again.read();
    assert.equal(it.lines.length, 1500, 'as kept by an agent that was killed then');
  });

  it('has space reserved behind its end', async () => {
    await using it = await following();
    const { blocks, size } = await stat(it.path);
    assert.equal(size, 0);
    assert.ok(blocks * 512 >= MAX_UNREAD_BYTES);
    assert.equal(it.log.at.reserved > MAX_UNREAD_BYTES, true);
    assert.deepEqual(it.warnings, []);
  });

  it('says when lines may be missing: cut off, emptied by those that write it, or longer than what was reserved', async () => {
    await using it = await following();
    await appendFile(it.path, 'one\ntwo\n');
    await it.log.read();
    await truncate(it.path, 0);
    await appendFile(it.path, 'a\n');
    await it.log.read();
    assert.deepEqual([it.lines, it.lost.length], [['one', 'two', 'a'], 1]);
    await truncate(it.path, 0);
    await appendFile(it.path, '{"emptied":"1795092551.086.42"}\nthis is longer than it was before\n');
    await it.log.read();
    assert.deepEqual([it.lines.at(-1), it.lost.length], ['this is longer than it was before', 2]);
    await it.log.read();
    const next = it.follow(it.log.at);
    await next.begin();
    await next.read();
    assert.deepEqual([it.lines.length, it.lost.length], [4, 2], 'it is known by then');
    await appendFile(it.path, `${'x'.repeat(1_000_000)}\n`.repeat(30));
    await next.read();
    assert.match(it.lost.at(-1) ?? '', /outgrown/);
  });

  it('is not followed on in another file under its name', async () => {
    await using it = await following();
    await rename(it.path, `${it.path}.old`);
    await writeFile(it.path, 'of another program\n');
    assert.equal(await it.log.isSame(), false);
    await it.log.read();
    assert.deepEqual(it.lines, []);
  });
});

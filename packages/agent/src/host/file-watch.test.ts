import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { watchFile } from './file-watch.ts';

describe('a file that is watched', { timeout: 60_000 }, () => {
  let folder: string;
  let path: string;
  let stopping: AbortController;
  let changes: number;
  let next: PromiseWithResolvers<void>;
  const errors: unknown[] = [];

  /** Resolves when a change is announced after this. */
  const changed = async (change: () => Promise<void>) => {
    await pause(20); // what was announced of earlier changes
    next = Promise.withResolvers();
    await change();
    await next.promise;
  };
  const start = () =>
    watchFile({
      path,
      changed: () => {
        changes += 1;
        next.resolve();
      },
      failed: (error) => errors.push(error),
      signal: stopping.signal,
    });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meshwork-watch-'));
    path = join(folder, 'hosts');
    stopping = new AbortController();
    changes = 0;
    next = Promise.withResolvers();
  });
  afterEach(async () => {
    stopping.abort();
    await rm(folder, { recursive: true });
    assert.deepEqual(errors, []);
  });

  it('is announced when it is written, replaced, written after that, removed and made again', async () => {
    await writeFile(path, 'one');
    start();
    await changed(() => writeFile(path, 'two'));
    await writeFile(join(folder, 'draft'), 'three');
    await changed(() => rename(join(folder, 'draft'), path));
    await changed(() => writeFile(path, 'four'));
    await changed(() => rm(path));
    await changed(() => writeFile(path, 'five'));
    await changed(() => writeFile(path, 'six'));
  });

  it('need not be there yet, and other files of its folder do not matter', async () => {
    start();
    await writeFile(join(folder, 'other'), 'one');
    await changed(() => writeFile(path, 'one'));
    const before = changes;
    await writeFile(join(folder, 'other'), 'two');
    await pause(50);
    assert.ok(changes - before <= 1, 'only what was left of its own writing'); // open, write and close are announced one by one
  });

  it('is not announced any more once that is over', async () => {
    await writeFile(path, 'one');
    start();
    stopping.abort();
    await writeFile(path, 'two');
    await pause(50);
    assert.equal(changes, 0);
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { SPARE_WORKERS } from './spare-workers.ts';
import { Thread } from './thread.ts';

const DYING = new URL('../../test/dying-worker.ts', import.meta.url);
const BATCH = { after: 0, revision: 1, documents: [], appends: [] };

describe('a thread of the store that dies', () => {
  it('rejects every call under way, and leaves open whether a commit took effect', async () => {
    const thread = await Thread.start({ role: 'write', file: '/data/mesh.db', options: {} }, new Worker(DYING));
    const marking = assert.rejects(thread.call('mark', { text: '[]', settled: null }), { fault: 'unavailable' });
    const committing = assert.rejects(thread.call('commit', BATCH), {
      fault: 'outcome_unknown',
      message: /disk controller caught fire/,
    });
    await Promise.all([marking, committing]);
    await assert.rejects(thread.call('touch'), { fault: 'unavailable', message: /disk controller caught fire/ });
    await thread.close();
  });

  it('leaves open whether observations were written', async () => {
    const thread = await Thread.start(
      { role: 'observe', file: '/data/mesh.db-observations', options: {} },
      new Worker(DYING),
    );
    const reading = assert.rejects(thread.call('firstBeyond', 'telemetry', 1), { fault: 'unavailable' });
    await assert.rejects(thread.call('append', ['telemetry', 'a', 1, '1', '{}']), { fault: 'outcome_unknown' });
    await reading;
    await thread.close();
  });

  it('before it has opened, is unavailable', async () => {
    const script = new URL('../../test/no-such-worker.ts', import.meta.url);
    const start = { role: 'read', file: '/data/mesh.db', options: {} } as const;
    await assert.rejects(Thread.start(start, new Worker(script)), { fault: 'unavailable' });
  });
});

describe('a thread whose store was closed', () => {
  it('is there for the next store, and does not answer for the one before', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'mesh-threads-'));
    const open = (name: string) => Thread.start({ role: 'write', file: join(folder.path, name), options: {} });
    const worker = SPARE_WORKERS.take();
    const start = { role: 'write', file: join(folder.path, 'one.db'), options: {} } as const;
    const first = await Thread.start(start, worker);
    await first.call('commit', BATCH);
    await first.close();
    assert.equal(SPARE_WORKERS.take(), worker);
    SPARE_WORKERS.give(worker);
    const second = await open('two.db');
    await assert.rejects(first.call('touch'), { fault: 'unavailable', message: /one\.db has ended/ });
    await second.call('commit', BATCH);
    await second.close();
    await first.close();
    const again = await open('one.db');
    await assert.rejects(again.call('commit', BATCH), /does not stand at revision 0/);
    await again.close();
  });

  it('is given back once, however often it is closed, and refuses what comes after that', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'mesh-threads-'));
    const worker = SPARE_WORKERS.take();
    const thread = await Thread.start({ role: 'write', file: join(folder.path, 'one.db'), options: {} }, worker);
    const closing = [thread.close(), thread.close()];
    await assert.rejects(thread.call('touch'), { fault: 'unavailable', message: /it was closed/ });
    await Promise.all(closing);
    assert.equal(SPARE_WORKERS.take(), worker);
    await thread.close();
    const another = SPARE_WORKERS.take();
    assert.notEqual(another, worker, 'it is in use');
    for (const spare of [worker, another]) SPARE_WORKERS.give(spare);
  });

  it('is ended when it could not close its file', async () => {
    const failing = `const { parentPort } = require('node:worker_threads');
      parentPort.on('message', ({ id, call }) =>
        parentPort.postMessage(call === 'close' ? { id, failure: { message: 'the disk is gone' } } : { id }));`;
    const worker = new Worker(failing, { eval: true });
    const exited = once(worker, 'exit');
    const thread = await Thread.start({ role: 'write', file: '/data/mesh.db', options: {} }, worker);
    await assert.rejects(thread.close(), /the disk is gone/);
    await exited;
  });

  it('is ended when it could not open a file', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'mesh-threads-'));
    const worker = SPARE_WORKERS.take();
    const exited = once(worker, 'exit');
    const start = { role: 'write', file: folder.path, options: {} } as const;
    await assert.rejects(Thread.start(start, worker), { name: 'StoreError' });
    await exited;
  });
});

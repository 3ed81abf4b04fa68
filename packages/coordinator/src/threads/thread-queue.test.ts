import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import type { MeshError } from '@meshwork/contract';
import type { OddJob } from '../../test/odd-jobs-thread.ts';
import { ThreadQueue } from './thread-queue.ts';

interface Did {
  readonly jobs: number;
  readonly thread: number;
}

describe('a queue over a thread', () => {
  let queue: ThreadQueue<OddJob, Did>;
  afterEach(() => queue.close());

  const open = (options: { idle_ms?: number; limit_ms?: number } = {}) => {
    queue = new ThreadQueue({
      script: new URL('../../test/odd-jobs-thread.ts', import.meta.url),
      name: 'odd',
      queue_limit: 3,
      waiting: 'odd jobs are waiting',
      limit_ms: 600_000,
      tooLong: (limit_ms) => new Error(`longer than ${limit_ms}`),
      ...options,
    });
  };
  const run = (job: OddJob) => queue.run(() => job);
  const codeOf = (error: unknown) => (error as MeshError).code;

  it('does jobs in one thread, in their order, and says to each whether the thread is new', async () => {
    open();
    const isNew: boolean[] = [];
    const note = (isNewThread: boolean): OddJob => {
      isNew.push(isNewThread);
      return 'count';
    };
    const done = await Promise.all([queue.run(note), queue.run(note)]);
    assert.deepEqual(
      done.map(({ jobs }) => jobs),
      [1, 2],
    );
    assert.equal((await queue.run(note)).thread, done[0].thread);
    assert.deepEqual(isNew, [true, false, false]);
  });

  for (const [job, error] of [
    ['refuse', /^Error: The odd thread failed: not this one$/],
    ['exit', /^Error: The odd thread ended\.$/],
    ['crash', /^Error: crashed$/],
  ] as const) {
    it(`fails a job that ends in "${job}" alone: the next has a new thread`, async () => {
      open();
      const before = await run('count');
      const [failed, next] = await Promise.allSettled([run(job), run('count')]);
      assert.match(String(failed.status === 'rejected' && failed.reason), error);
      assert.ok(next.status === 'fulfilled');
      assert.notEqual(next.value.thread, before.thread);
      assert.equal(next.value.jobs, 1);
    });
  }

  it('fails a job whose input cannot be made or sent, and goes on', async () => {
    open();
    const fail = () => {
      throw new Error('no input');
    };
    await assert.rejects(queue.run(fail), /^Error: no input$/);
    await assert.rejects(
      queue.run(() => (() => undefined) as never),
      { name: 'DataCloneError' },
    );
    assert.equal((await run('count')).jobs, 1);
  });

  it('starts another thread after one that crashed without a job', async (t) => {
    open();
    const channel = new BroadcastChannel('odd-jobs-thread');
    t.after(() => channel.close());
    const { thread } = await run('crash later');
    channel.postMessage('now');
    let next = await run('count').catch(() => undefined); // it may have been given to the one that crashes
    while (next === undefined || next.thread === thread) next = await run('count').catch(() => undefined);
    assert.equal(next.jobs, 1);
  });

  it('gives up a job that takes too long, with the error that its owner has for it', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    open({ limit_ms: 2000 });
    const channel = new BroadcastChannel('odd-jobs-thread');
    t.after(() => channel.close());
    const hangs = new Promise((resolve) => {
      channel.onmessage = resolve;
    });
    const both = Promise.allSettled([run('hang'), run('count')]);
    await hangs;
    t.mock.timers.tick(2000);
    const [hung, next] = await both;
    assert.match(String(hung.status === 'rejected' && hung.reason), /^Error: longer than 2000$/);
    assert.equal(next.status, 'fulfilled');
  });

  it('ends a thread that has nothing to do', async () => {
    open({ idle_ms: 1 });
    const { thread } = await run('count');
    let next = await run('count');
    for (; next.thread === thread; next = await run('count')) await pause(5);
    assert.equal(next.jobs, 1);
  });

  it('refuses more than may wait', async () => {
    open();
    const asked = await Promise.allSettled(Array.from({ length: 6 }, () => run('count')));
    const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as MeshError] : []));
    assert.deepEqual(refused.map(codeOf), ['busy', 'busy']);
    assert.equal(refused[0]?.message, '3 odd jobs are waiting. Try again in a moment.');
  });

  it('refuses what is not done when it closes, and everything after', async () => {
    open();
    const waiting = Promise.allSettled([run('count'), run('count')]);
    await queue.close();
    for (const one of await waiting) assert.equal(one.status === 'rejected' && codeOf(one.reason), 'shutting_down');
    await assert.rejects(run('count'), (error) => codeOf(error) === 'shutting_down');
  });
});

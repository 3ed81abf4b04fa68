import { Worker } from 'node:worker_threads';
import { MeshError } from '@meshwork/contract';
import type { Job, JobAnswer, JobName, Jobs } from './jobs.ts';

/** Jobs that wait for their turn; more are refused. */
const QUEUE_LIMIT = 256;
/** The thread ends when it had nothing to do for so long: it holds a library that few minutes of a day need. */
const IDLE_MS = 60_000;
/** Ours: a revocation list of 10,000 takes a tenth of this. */
const LIMIT_MS = 120_000;

interface Waiting {
  readonly job: Job;
  readonly resolve: (output: Jobs[JobName]['output']) => void;
  readonly reject: (error: unknown) => void;
}

/** Has jobs done in a thread of their own, one after another. Keys are given with each job and kept nowhere. */
export class Signing {
  readonly #queue: Waiting[] = [];
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #count = 0;
  #closed = false;

  run<J extends JobName>(name: J, input: Jobs[J]['input']): Promise<Jobs[J]['output']> {
    if (this.#closed) return Promise.reject(shuttingDown());
    if (this.#queue.length >= QUEUE_LIMIT) {
      const detail = `${QUEUE_LIMIT} certificates are waiting to be signed. Try again in a moment.`;
      return Promise.reject(new MeshError('busy', detail, { retry_after_s: 2 }));
    }
    return new Promise<Jobs[JobName]['output']>((resolve, reject) => {
      this.#queue.push({ job: { id: ++this.#count, name, input }, resolve, reject });
      this.#working ??= this.#work();
    }) as Promise<Jobs[J]['output']>;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
    await this.#working;
  }

  async #work(): Promise<void> {
    clearTimeout(this.#idle);
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      try {
        next.resolve(await this.#ask(next.job));
      } catch (error) {
        next.reject(error);
      }
    }
    this.#working = undefined; // in the same breath as the last look at the queue
    if (!this.#closed) this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
  }

  async #ask(job: Job): Promise<Jobs[JobName]['output']> {
    if (this.#closed) throw shuttingDown();
    const thread = this.#started();
    let timer: NodeJS.Timeout | undefined;
    try {
      const answer = await new Promise<JobAnswer>((resolve, reject) => {
        thread.on('message', resolve);
        thread.once('error', reject);
        thread.once('exit', () => reject(shuttingDown()));
        timer = setTimeout(() => reject(new Error(`Signing took longer than ${LIMIT_MS / 1000} s.`)), LIMIT_MS);
        thread.postMessage(job);
      });
      if ('error' in answer) throw new Error(`The signing thread failed: ${answer.error}`);
      return answer.output;
    } catch (error) {
      await this.#end(); // whatever state it is in
      throw error;
    } finally {
      clearTimeout(timer);
      for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
    }
  }

  #started(): Worker {
    if (this.#thread === undefined) {
      this.#thread = new Worker(new URL('./signing-thread.ts', import.meta.url));
      this.#thread.unref();
    }
    return this.#thread;
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }
}

function shuttingDown(): MeshError {
  return new MeshError('shutting_down', 'The coordinator is shutting down.');
}

import { Worker } from 'node:worker_threads';
import { MeshError } from '@meshwork/contract';
import type { Answer, Job } from './answer-jobs.ts';

/** Ours: a thread holds what few minutes of a day need. */
const IDLE_MS = 60_000;

interface Options {
  /** What the thread runs. It calls `answerJobs`. */
  readonly script: URL;
  /** What is said of it when it fails. */
  readonly name: string;
  /** Jobs that wait for their turn; more are refused. */
  readonly queue_limit: number;
  /** What waits, in the words of who is refused: "policies are waiting to be looked at". */
  readonly waiting: string;
  /** A job that takes longer is given up, and its thread with it. */
  readonly limit_ms: number;
  /** What the caller of a job that was given up gets. */
  readonly tooLong: (limit_ms: number) => Error;
  /** The thread ends when it had nothing to do for so long. */
  readonly idle_ms?: number;
}

interface Waiting<Input, Output> {
  readonly inputFor: (isNewThread: boolean) => Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Has jobs done in a thread of their own, one after another, so that no request waits for what takes long. The thread
 * starts with the first job. A job that fails takes the thread with it, whatever state it is in, and the next starts a new one.
 */
export class ThreadQueue<Input, Output> {
  readonly #options: Options;
  readonly #queue: Waiting<Input, Output>[] = [];
  #thread: Worker | undefined;
  /** Ends the wait for the job under way. */
  #fail: (error: unknown) => void = () => undefined;
  #idle: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #count = 0;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The input is made when its turn comes. `isNewThread`: the thread knows nothing of the inputs before. */
  run(inputFor: (isNewThread: boolean) => Input): Promise<Output> {
    const { queue_limit, waiting } = this.#options;
    if (this.#closed) return Promise.reject(shuttingDown());
    if (this.#queue.length >= queue_limit) {
      const detail = `${queue_limit} ${waiting}. Try again in a moment.`;
      return Promise.reject(new MeshError('busy', detail, { retry_after_s: 2 }));
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ inputFor, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  /** Jobs that are not done are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
    await this.#working;
  }

  async #work(): Promise<void> {
    clearTimeout(this.#idle);
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      try {
        next.resolve(await this.#ask(next.inputFor));
      } catch (error) {
        await this.#end();
        next.reject(error);
      }
    }
    this.#working = undefined; // in the same breath as the last look at the queue
    if (this.#thread === undefined) return;
    this.#idle = setTimeout(() => void this.#end(), this.#options.idle_ms ?? IDLE_MS).unref();
  }

  async #ask(inputFor: (isNewThread: boolean) => Input): Promise<Output> {
    if (this.#closed) throw shuttingDown();
    const { limit_ms, tooLong, name } = this.#options;
    const isNewThread = this.#thread === undefined;
    const job: Job<Input> = { id: ++this.#count, input: inputFor(isNewThread) };
    const thread = this.#thread ?? this.#start();
    let timer: NodeJS.Timeout | undefined;
    try {
      const answer = await new Promise<Answer<Output>>((resolve, reject) => {
        this.#fail = reject;
        thread.on('message', (one: Answer<Output>) => one.id === job.id && resolve(one));
        timer = setTimeout(() => reject(tooLong(limit_ms)), limit_ms);
        thread.postMessage(job);
      });
      if ('error' in answer) throw new Error(`The ${name} thread failed: ${answer.error}`);
      return answer.output;
    } finally {
      clearTimeout(timer);
      thread.removeAllListeners('message');
    }
  }

  #start(): Worker {
    const thread = new Worker(this.#options.script);
    thread.unref();
    thread.on('error', (error) => this.#ended(thread, error));
    thread.on('exit', () => this.#ended(thread, new Error(`The ${this.#options.name} thread ended.`)));
    this.#thread = thread;
    return thread;
  }

  /** One that ends without a job, such as for lack of memory, is missed by none: the next job starts another. */
  #ended(thread: Worker, error: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#fail(error);
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    if (this.#closed) this.#fail(shuttingDown());
    await thread?.terminate();
  }
}

function shuttingDown(): MeshError {
  return new MeshError('shutting_down', 'The coordinator is shutting down.');
}

import type { Worker } from 'node:worker_threads';
import { StoreError } from '../store-error.ts';
import type { Answers, Failure, Role, Start, WorkerRequest, WorkerResponse } from './protocol.ts';
import { SPARE_WORKERS } from './spare-workers.ts';

/** Calls that may have taken effect when the thread ends during them. */
const UNKNOWN_WHEN_CUT: readonly string[] = ['commit', 'append'];

interface Waiting {
  readonly call: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: Error) => void;
}

type Method<Target, Name extends keyof Target> = Target[Name] extends (...args: infer Args) => infer Result
  ? { args: Args; result: Result }
  : never;

/** The main thread's side of one thread of the store, for as long as it has the file. */
export class Thread<R extends Role> {
  readonly #worker: Worker;
  readonly #file: string;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited = Promise.withResolvers<void>();
  #lastId = 0;
  #death: Error | undefined;
  #closed: Promise<void> | undefined;

  /** `worker` is for tests, which cannot make a real one die. */
  static async start<R extends Role>(
    start: Start & { readonly role: R },
    worker: Worker = SPARE_WORKERS.take(),
  ): Promise<Thread<R>> {
    const thread = new Thread<R>(start.file, worker);
    try {
      await thread.#ask('open', [start]);
    } catch (error) {
      await worker.terminate(); // with what it had opened by then
      throw error;
    }
    return thread;
  }

  private constructor(file: string, worker: Worker) {
    this.#file = file;
    this.#worker = worker;
    worker.on('message', (reply: WorkerResponse) => this.#take(reply));
    worker.on('error', (error) => {
      this.#death = error instanceof Error ? error : new Error(String(error));
    });
    worker.on('exit', (code) => this.#die(code));
  }

  call<Name extends keyof Answers[R] & string>(
    name: Name,
    ...args: Method<Answers[R], Name>['args']
  ): Promise<Method<Answers[R], Name>['result']> {
    return this.#ask(name, args) as Promise<Method<Answers[R], Name>['result']>;
  }

  /** Closes the file after everything asked before. The thread is there for the next one. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    if (this.#death !== undefined) {
      await this.#exited.promise;
      return;
    }
    const closing = this.#ask('close', []);
    this.#death = new Error('it was closed'); // nothing may be asked of it any more
    try {
      await closing;
    } catch (error) {
      await this.#worker.terminate(); // with the file, which may still be open
      throw error;
    }
    SPARE_WORKERS.give(this.#worker);
  }

  #ask(call: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#death !== undefined) {
      const message = `the thread of the store ${this.#file} has ended; open the store anew. ${this.#death.message}`;
      return Promise.reject(new StoreError('unavailable', message, { cause: this.#death }));
    }
    this.#lastId += 1;
    const request: WorkerRequest = { id: this.#lastId, call, args };
    this.#worker.postMessage(request);
    return this.#expect(request.id, call);
  }

  #expect(id: number, call: string): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { call, resolve, reject });
    return promise;
  }

  #take(reply: WorkerResponse): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (waiting === undefined) return;
    if ('failure' in reply) waiting.reject(toError(reply.failure));
    else waiting.resolve(reply.value);
  }

  #die(code: number): void {
    this.#death ??= new Error(`it exited with code ${code}`);
    for (const { call, reject } of this.#waiting.values()) {
      const fault = UNKNOWN_WHEN_CUT.includes(call) ? 'outcome_unknown' : 'unavailable';
      const message = `the thread of the store ${this.#file} ended during ${call}: ${this.#death.message}`;
      reject(new StoreError(fault, message, { cause: this.#death }));
    }
    this.#waiting.clear();
    this.#exited.resolve();
  }
}

function toError({ fault, message }: Failure): Error {
  return fault === undefined ? new Error(`in the store's thread: ${message}`) : new StoreError(fault, message);
}

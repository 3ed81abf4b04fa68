import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Place } from '../src/namespaces/node/place.ts';

type Reply = { readonly id: number; readonly result: unknown } | { readonly id: number; readonly failed: string };

/**
 * One small process in a namespace that does what a test asks, until the test ends it or ends itself. Requests are answered in
 * any order.
 */
export class RemoteProgram<Request extends { readonly do: string }, Replies extends { [D in Request['do']]: unknown }>
  implements AsyncDisposable
{
  readonly #child: ChildProcess;
  readonly #what: string;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #asked = 0;

  /** `what`: for errors, such as `prober`. */
  constructor(place: Place, what: string, file: string) {
    this.#what = `the ${what} in ${place.name}`;
    this.#child = place.spawn(process.execPath, [file], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child.on('message', (reply: Reply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if ('failed' in reply) waiting?.reject(new Error(`in ${place.name}: ${reply.failed}`));
      else waiting?.resolve(reply.result);
    });
    this.#child.on('error', (error) => this.#giveUp(`could not be started: ${error.message}`));
    this.#child.on('exit', () => this.#giveUp('has ended'));
  }

  async ask<R extends Request>(request: R): Promise<Replies[R['do']]> {
    this.#asked += 1;
    const id = this.#asked;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    if (!this.#child.connected) waiting.reject(new Error(`${this.#what} has ended`));
    else this.#child.send({ ...request, id });
    return (await waiting.promise) as Replies[R['do']];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  #giveUp(why: string): void {
    for (const waiting of this.#waiting.values()) waiting.reject(new Error(`${this.#what} ${why}`));
    this.#waiting.clear();
  }
}

/** In the program itself: does what it is asked, until its channel closes. */
export function answering<Request>(answer: (request: Request) => unknown): void {
  process.on('message', (call: Request & { readonly id: number }) => {
    Promise.try(() => answer(call)).then(
      (result) => process.send?.({ id: call.id, result: result ?? null }),
      (error: unknown) => process.send?.({ id: call.id, failed: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}

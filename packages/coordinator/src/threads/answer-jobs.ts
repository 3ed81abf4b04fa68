/** What crosses between a queue and its thread, and the thread's side of it. */
import { parentPort } from 'node:worker_threads';

export interface Job<Input> {
  readonly id: number;
  readonly input: Input;
}

export type Answer<Output> = { readonly id: number } & ({ readonly output: Output } | { readonly error: string });

/** Does the jobs that a `ThreadQueue` sends to this thread. */
export function answerJobs<Input, Output>(work: (input: Input) => Output | Promise<Output>): void {
  parentPort?.on('message', async ({ id, input }: Job<Input>) => {
    parentPort?.postMessage(await answerTo(id, async () => await work(input)));
  });
}

function answerTo<Output>(id: number, work: () => Promise<Output>): Promise<Answer<Output>> {
  return work().then(
    (output) => ({ id, output }),
    (error: unknown) => ({ id, error: error instanceof Error ? error.message : String(error) }),
  );
}

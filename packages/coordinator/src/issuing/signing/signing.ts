import { ThreadQueue } from '../../threads/thread-queue.ts';
import type { JobName, Jobs, SigningJob } from './jobs.ts';

/** Ours: a revocation list of 10,000 takes a tenth of this. */
const LIMIT_MS = 120_000;

/** Has jobs done in a thread of their own, one after another. Keys are given with each job and kept nowhere. */
export class Signing {
  readonly #thread = new ThreadQueue<SigningJob, Jobs[JobName]['output']>({
    script: new URL('./signing-thread.ts', import.meta.url),
    name: 'signing',
    queue_limit: 256,
    waiting: 'certificates are waiting to be signed',
    limit_ms: LIMIT_MS,
    tooLong: () => new Error(`Signing took longer than ${LIMIT_MS / 1000} s.`),
  });

  run<J extends JobName>(name: J, input: Jobs[J]['input']): Promise<Jobs[J]['output']> {
    return this.#thread.run(() => ({ name, input })) as Promise<Jobs[J]['output']>;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

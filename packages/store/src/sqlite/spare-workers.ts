import { Worker } from 'node:worker_threads';

const SCRIPT = new URL('./worker.ts', import.meta.url);
/** Ours: those of two stores, each with the one for its observations. */
const MAX_SPARE = 6;

/**
 * Threads of stores that were closed, for the next one that this process opens: starting them is most of what opening a store
 * takes. The process does not stay for them.
 */
class SpareWorkers {
  readonly #spare = new Set<Worker>();

  take(): Worker {
    const [worker] = this.#spare;
    if (worker === undefined) return new Worker(SCRIPT);
    this.#spare.delete(worker);
    forgetListeners(worker);
    worker.ref();
    return worker;
  }

  /** One that has no file open. */
  give(worker: Worker): void {
    forgetListeners(worker);
    worker.unref();
    const forget = () => this.#spare.delete(worker);
    worker.once('error', forget).once('exit', forget);
    if (this.#spare.size < MAX_SPARE) this.#spare.add(worker);
    else void worker.terminate();
  }
}

/** Ours alone: by listeners of its own a worker knows whether its port keeps the process. */
function forgetListeners(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
}

export const SPARE_WORKERS = new SpareWorkers();

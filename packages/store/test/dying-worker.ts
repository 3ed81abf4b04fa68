/** Stands in for `src/sqlite/worker.ts`: opens, never answers, and dies when asked to commit or to append. */
import { parentPort } from 'node:worker_threads';
import type { WorkerRequest, WorkerResponse } from '../src/sqlite/protocol.ts';

const opened: WorkerResponse = { id: 0, value: undefined };
parentPort?.postMessage(opened);
parentPort?.on('message', ({ call }: WorkerRequest) => {
  if (call === 'commit' || call === 'append') throw new Error('the disk controller caught fire');
});

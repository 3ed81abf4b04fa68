/** Stands in for `src/sqlite/worker.ts`: opens, never answers, and dies when asked to commit or to append. */
import { parentPort } from 'node:worker_threads';
import type { WorkerRequest, WorkerResponse } from '../src/sqlite/protocol.ts';

parentPort?.on('message', ({ id, call }: WorkerRequest) => {
  if (call === 'commit' || call === 'append') throw new Error('the disk controller caught fire');
  const opened: WorkerResponse = { id, value: undefined };
  if (call === 'open') parentPort?.postMessage(opened);
});

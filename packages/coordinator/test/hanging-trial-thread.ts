/** Tries nothing out, and never gets over a policy that says so; but first announces on a channel that it is there. */
import { BroadcastChannel, parentPort } from 'node:worker_threads';

const hanging = new BroadcastChannel('hanging-trial-thread');
hanging.unref();

parentPort?.on('message', ({ id, text }: { id: number; text: string }) => {
  if (text === 'hang') hanging.postMessage('now');
  while (text === 'hang');
  parentPort?.postMessage({ id, trial: { ok: true, failed_tests: [], warnings: [], difference: undefined } });
});

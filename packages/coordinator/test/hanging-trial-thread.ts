/** Tries nothing out, and never gets over a policy that says so; but first announces on a channel that it is there. */
import { BroadcastChannel } from 'node:worker_threads';
import type { Trial } from '../src/areas/acls/trial.ts';
import { answerJobs } from '../src/threads/answer-jobs.ts';

const hanging = new BroadcastChannel('hanging-trial-thread');
hanging.unref();

answerJobs(({ text }: { text: string }): Trial => {
  if (text === 'hang') hanging.postMessage('now');
  while (text === 'hang');
  return { ok: true, failed_tests: [], warnings: [], difference: undefined };
});

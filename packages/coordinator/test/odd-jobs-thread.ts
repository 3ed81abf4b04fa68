/** Answers with how many jobs this thread was given, and with which thread it is; or fails in the way that it is asked to. */
import { BroadcastChannel, threadId } from 'node:worker_threads';
import { answerJobs } from '../src/threads/answer-jobs.ts';

export type OddJob = 'count' | 'refuse' | 'exit' | 'crash' | 'crash later' | 'hang';

const channel = new BroadcastChannel('odd-jobs-thread');
channel.unref();
let jobs = 0;

answerJobs(async (job: OddJob) => {
  jobs += 1;
  if (job === 'refuse') throw new Error('not this one');
  if (job === 'exit') process.exit(3);
  if (job === 'hang') channel.postMessage('now');
  while (job === 'hang');
  if (job === 'crash') await new Promise(() => setImmediate(crash));
  if (job === 'crash later') channel.onmessage = crash;
  return { jobs, thread: threadId };
});

function crash(): never {
  throw new Error('crashed');
}

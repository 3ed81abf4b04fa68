import { Worker } from 'node:worker_threads';
import type { ChallengeAnswer } from '@meshwork/pki/challenge';

/** Ours: it takes a quarter of a second, and on a small and busy machine many times that. */
const LIMIT_MS = 60_000;

/** In the sources a file beside this one; in the bundle, which is JavaScript, another one beside that. */
const SCRIPT = import.meta.url.endsWith('.ts')
  ? new URL('./request-thread.ts', import.meta.url)
  : new URL('./request-thread.js', import.meta.url);

/** What the thread makes: see `request-thread.ts`. Nothing is left in memory of what made it. */
export async function madeOnThread<T>(
  what: string,
  wanted: ChallengeAnswer | undefined,
  script: URL = SCRIPT,
): Promise<T> {
  const thread = new Worker(script, { workerData: wanted });
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', (code) => reject(new Error(`the thread ended (${code})`)));
  const timer = setTimeout(() => reject(new Error(`it took more than ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  try {
    return await promise;
  } catch (error) {
    throw new Error(`no ${what} could be made: ${(error as Error).message}`, { cause: error });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
